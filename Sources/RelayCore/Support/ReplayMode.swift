/// Where the answers come from that no rule gives, archives or the network, and what of the network is recorded.
///
/// What is recorded goes into the first of an interceptor's archives.
public struct ReplayMode: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable {
        case replay, once, new, all, passThrough, live
        case refresh(olderThan: Duration)
    }

    let kind: Kind

    /// From the archives; what nothing answers fails, and nothing is recorded.
    public static let replay = Self(kind: .replay)

    /// As ``replay`` where the archive is there and has entries; else from the network, and all of that is recorded.
    ///
    /// An archive that the process itself recorded counts as one that is not there, so that several tests may record one.
    public static let once = Self(kind: .once)

    /// From the archives; what nothing answers goes to the network and is recorded beside what is there.
    public static let new = Self(kind: .new)

    /// From the network, and all of that is recorded in place of what is there.
    ///
    /// A test replaces what it had recorded itself: the entries of its page, and those of no test for the same requests.
    /// Entries of other tests stay, so that a run of some tests leaves those of the others. Without a test, everything
    /// is replaced but for entries of tests that were not recorded again. What the process itself recorded stays.
    public static let all = Self(kind: .all)

    /// As ``new``, but an entry that is older goes to the network again, and is replaced by what comes.
    ///
    /// - Parameter age: How long ago the entry was recorded, at least.
    /// - Returns: The mode.
    public static func refresh(olderThan age: Duration) -> Self { Self(kind: .refresh(olderThan: age)) }

    /// From the archives; what nothing answers goes to the network, and nothing is recorded.
    public static let passThrough = Self(kind: .passThrough)

    /// From the network, and nothing is recorded.
    ///
    /// No archive is opened or need be there. Rules apply as ever, stubs and overrides among them.
    public static let live = Self(kind: .live)

    /// The name, such as `passThrough` or `refresh:3600s`.
    public var description: String {
        if case .refresh(let age) = kind { "refresh:\(age.components.seconds)s" } else { "\(kind)" }
    }
}

extension ReplayMode {
    /// What becomes of a request that no archive answers.
    enum Otherwise {
        case fail, network, record
    }

    /// Whether archives are asked.
    var asksArchives: Bool {
        switch kind {
        case .all, .live: false
        case .replay, .once, .new, .refresh, .passThrough: true
        }
    }

    /// What becomes of a request that no archive answers.
    var otherwise: Otherwise {
        switch kind {
        case .replay: .fail
        case .passThrough, .live: .network
        case .once, .new, .all, .refresh: .record
        }
    }

    /// Whether something may be recorded.
    var records: Bool { otherwise == .record }

    /// The age from which on entries are not played; `nil` where none is too old.
    var age: Duration? { if case .refresh(let age) = kind { age } else { nil } }
}
