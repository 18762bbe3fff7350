/// A mode that determines the source of responses for requests that match no rule, and the exchanges to record.
///
/// New entries are written to the first archive of an interceptor.
public struct ReplayMode: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable {
        case replay, once, new, all, passThrough, live
        case refresh(olderThan: Duration)
    }

    /// The handling of a request that has no matching entry.
    enum Otherwise: Hashable {
        case fail, network, record
    }

    let kind: Kind

    /// Whether requests are looked up in archives.
    let asksArchives: Bool

    /// The handling of a request that has no matching entry.
    let otherwise: Otherwise

    /// The maximum age of replayed entries, or nil if their age is unlimited.
    let age: Duration?

    private init(kind: Kind) {
        self.kind = kind
        asksArchives = kind != .all && kind != .live
        otherwise =
            switch kind {
            case .replay: .fail
            case .passThrough, .live: .network
            case .once, .new, .all, .refresh: .record
            }
        age = if case .refresh(let age) = kind { age } else { nil }
    }

    /// A mode that replays archives; a request without a matching entry fails, and nothing is recorded.
    public static let replay = Self(kind: .replay)

    /// A mode that acts like ``replay`` if the archive exists and has entries, and otherwise records all requests.
    ///
    /// An archive recorded by the same process counts as missing, so that several tests can record into one archive.
    public static let once = Self(kind: .once)

    /// A mode that replays archives; a request without a matching entry is sent to the network and recorded.
    public static let new = Self(kind: .new)

    /// A mode that sends all requests to the network and replaces the recorded entries.
    ///
    /// A test replaces the entries of its page, and entries for the same requests that belong to no test. Entries of
    /// other tests are preserved, so you can record a subset of the tests. Outside tests, all entries are replaced,
    /// except entries of tests whose requests were not recorded again. Entries that the same process recorded are
    /// always preserved.
    public static let all = Self(kind: .all)

    /// Returns a mode that acts like ``new``, but also sends a request to the network if its entry is older than `age`,
    /// and replaces that entry.
    ///
    /// - Parameter age: The minimum age of entries to replace.
    /// - Returns: The mode.
    public static func refresh(olderThan age: Duration) -> Self { Self(kind: .refresh(olderThan: age)) }

    /// A mode that replays archives; a request without a matching entry is sent to the network but not recorded.
    public static let passThrough = Self(kind: .passThrough)

    /// A mode that sends all requests to the network and records nothing.
    ///
    /// No archive is opened, so none has to exist. Rules still apply, including stubs and overrides.
    public static let live = Self(kind: .live)

    /// The name of the mode, such as `passThrough` or `refresh:3600s`.
    public var description: String {
        if case .refresh(let age) = kind { "refresh:\(age.components.seconds)s" } else { "\(kind)" }
    }
}

extension ReplayMode {
    /// Whether exchanges with the network are recorded.
    var records: Bool { otherwise == .record }
}
