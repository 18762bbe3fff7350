/// Where the answers come from that no rule gives: archives, the network, or both.
public struct ReplayMode: Hashable, Sendable, CaseIterable, CustomStringConvertible {
    private enum Kind: String, CaseIterable { case replay, passThrough, live }

    private let kind: Kind

    /// From the archives; what nothing answers fails.
    public static let replay = Self(kind: .replay)

    /// From the archives; what nothing answers goes to the network.
    public static let passThrough = Self(kind: .passThrough)

    /// From the network.
    ///
    /// No archive is opened or need be there. Rules apply as ever, stubs and overrides among them.
    public static let live = Self(kind: .live)

    /// All modes that there are.
    public static var allCases: [ReplayMode] { Kind.allCases.map { Self(kind: $0) } }

    /// The name, such as `passThrough`.
    public var description: String { kind.rawValue }
}

extension ReplayMode {
    /// Whether archives are asked.
    var usesArchives: Bool { self != .live }

    /// What becomes of a request that no archive answers.
    var unmatchedRequests: Interceptor.Configuration.UnmatchedRequests { self == .replay ? .fail : .passThrough }
}
