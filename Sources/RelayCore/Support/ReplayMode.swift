/// A mode that determines whether requests that match no rule are replayed, sent to the network, or recorded.
///
/// New entries are written to the first archive of an interceptor.
public struct ReplayMode: Hashable, Sendable, CustomStringConvertible {
    enum Kind: Hashable {
        case replay, once, new, all, passThrough, live
        case refresh(olderThan: Duration)
    }

    /// The handling of a request without a matching entry.
    enum Otherwise: Hashable {
        case fail, network, record
    }

    let kind: Kind

    /// A mode that replays archives and records nothing.
    ///
    /// Requests without a matching entry fail.
    public static let replay = Self(kind: .replay)

    /// A mode that acts like ``replay`` if the archive exists and has entries, and otherwise records all requests.
    ///
    /// An archive recorded by the same process is considered missing, so that several tests can record into one
    /// archive.
    public static let once = Self(kind: .once)

    /// A mode that replays archives.
    ///
    /// Requests without a matching entry are sent to the network and recorded.
    public static let new = Self(kind: .new)

    /// A mode that sends all requests to the network and replaces the recorded entries.
    ///
    /// A test replaces the entries of its page, and entries that were recorded outside tests for the same requests.
    /// Entries of other tests are preserved, so you can record a subset of the tests. A recording outside tests
    /// replaces all entries, except entries of tests whose requests were not recorded again. Entries recorded by the
    /// same process are always preserved.
    public static let all = Self(kind: .all)

    /// Returns a mode that acts like ``new``, but also records requests again if their entries are too old.
    ///
    /// - Parameter age: The maximum age of entries to replay. Older entries are replaced.
    /// - Returns: The mode.
    public static func refresh(olderThan age: Duration) -> Self { Self(kind: .refresh(olderThan: age)) }

    /// A mode that replays archives and records nothing.
    ///
    /// Requests without a matching entry are sent to the network.
    public static let passThrough = Self(kind: .passThrough)

    /// A mode that sends all requests to the network and records nothing.
    ///
    /// No archive is opened or required. Rules still apply, including stubs and overrides.
    public static let live = Self(kind: .live)

    /// The name of the mode, such as `passThrough` or `refresh:3600s`.
    public var description: String {
        if case .refresh(let age) = kind { "refresh:\(age.components.seconds)s" } else { "\(kind)" }
    }
}

extension ReplayMode {
    /// Whether requests are looked up in archives.
    var asksArchives: Bool { kind != .all && kind != .live }

    /// The handling of a request without a matching entry.
    var otherwise: Otherwise {
        switch kind {
        case .replay: .fail
        case .passThrough, .live: .network
        case .once, .new, .all, .refresh: .record
        }
    }

    /// The maximum age of replayed entries, or nil for no limit.
    var age: Duration? {
        if case .refresh(let age) = kind { age } else { nil }
    }

    /// Whether exchanges with the network are recorded.
    var records: Bool { otherwise == .record }
}
