public import Foundation
public import HTTPArchive
public import Relay

#if Server
    import RelayServer
#endif

/// The settings of a replay.
///
/// The test target, suites, and tests can each set some of them.
///
/// A setting that is nil is inherited: from the traits of enclosing suites, then from the
/// ``ReplayDefaultSettings`` of the test target.
public struct ReplaySettings: Sendable {
    /// The path of the only folder to search for archives and to record into, absolute or relative to the folder of the
    /// file with these settings.
    public var folder: String?

    /// A bundle with archives in its resources, such as `.module`.
    public var bundle: Bundle?

    /// The rules for selecting entries.
    public var matching: RequestMatching?

    /// The redaction settings for recordings and messages.
    public var redaction: HARRedactor.Configuration?

    /// Additional rules, such as stubs and overrides.
    ///
    /// Rules from all levels apply. Rules from inner levels take precedence.
    public var rules: [Rule]

    /// All other settings, which are inherited as a whole.
    public var configuration: Interceptor.Configuration?

    /// The replay mode.
    ///
    /// If it is nil at all levels, the environment variable `RELAY_MODE` sets the mode. If the variable is not set
    /// either, ``configuration`` determines the mode.
    public var mode: ReplayMode?

    /// Whether each miss is reported as an issue, even if the code under test ignores the error; `true` by default.
    public var reportsMisses: Bool?

    /// Whether unused entries are reported as an issue; `false` by default.
    public var reportsUnusedEntries: Bool?

    /// Whether rules that did not affect any request are reported as an issue; `false` by default.
    ///
    /// Rules of the test target are not reported.
    public var reportsUnusedRules: Bool?

    /// Whether requests whose body differs from the recorded one are reported as an issue instead of a warning; `false`
    /// by default.
    public var reportsChangedBodies: Bool?

    /// The path of the file with these settings.
    private(set) var filePath: String?

    #if Server
        /// The settings of the server that responds to the test's requests, or nil if requests in sessions are
        /// intercepted instead.
        var server: RelayServer.Configuration?
    #endif

    #if Verifying
        /// The times at which the replayed requests are also sent to the recorded servers, or nil for never.
        var verification: Verification?
    #endif

    /// The identities of the test target's rules, which are not reported if they are unused.
    var sharedRules: Set<Rule.ID> = []

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - folder: The only folder to search for archives and to record into, absolute or relative to the folder of the
    ///     calling file.
    ///   - bundle: A bundle with archives in its resources.
    ///   - matching: The rules for selecting entries.
    ///   - redaction: The redaction settings for recordings and messages.
    ///   - rules: Additional rules, such as stubs and overrides; none by default.
    ///   - configuration: All other settings, which are inherited as a whole.
    ///   - mode: The replay mode.
    ///   - reportsMisses: Whether each miss is reported as an issue.
    ///   - reportsUnusedEntries: Whether unused entries are reported as an issue.
    ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue.
    ///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as an issue.
    ///   - filePath: The path of the calling file.
    public init(
        folder: String? = nil, bundle: Bundle? = nil, matching: RequestMatching? = nil,
        redaction: HARRedactor.Configuration? = nil, rules: [Rule] = [],
        configuration: Interceptor.Configuration? = nil, mode: ReplayMode? = nil, reportsMisses: Bool? = nil,
        reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
        filePath: String = #filePath
    ) {
        self.folder = folder
        self.bundle = bundle
        self.matching = matching
        self.redaction = redaction
        self.rules = rules
        self.configuration = configuration
        self.mode = mode
        self.reportsMisses = reportsMisses
        self.reportsUnusedEntries = reportsUnusedEntries
        self.reportsUnusedRules = reportsUnusedRules
        self.reportsChangedBodies = reportsChangedBodies
        self.filePath = filePath
    }

    /// Creates settings that inherit all values and do not belong to a file.
    init() {
        rules = []
        filePath = nil
    }

    /// Returns these settings, overridden by the settings of an inner level.
    func refined(by inner: ReplaySettings) -> ReplaySettings {
        var result = self
        if let folder = inner.folder {
            result.folder = folder
            result.filePath = inner.filePath
        }
        result.bundle = inner.bundle ?? bundle
        result.matching = inner.matching ?? matching
        result.redaction = inner.redaction ?? redaction
        result.rules += inner.rules
        result.configuration = inner.configuration ?? configuration
        result.mode = inner.mode ?? mode
        result.reportsMisses = inner.reportsMisses ?? reportsMisses
        result.reportsUnusedEntries = inner.reportsUnusedEntries ?? reportsUnusedEntries
        result.reportsUnusedRules = inner.reportsUnusedRules ?? reportsUnusedRules
        result.reportsChangedBodies = inner.reportsChangedBodies ?? reportsChangedBodies
        #if Server
            result.server = inner.server ?? server
        #endif
        #if Verifying
            result.verification = inner.verification ?? verification
        #endif
        return result
    }

    /// Returns the plan of a replay with these settings.
    ///
    /// - Parameters:
    ///   - names: The names of the archives.
    ///   - file: The path of the file whose folder is searched for archives if no folder is set.
    ///   - command: The command that runs only this test, in a recording mode.
    /// - Returns: The plan.
    func plan(names: [String], beside file: String, command: String?) -> ReplayPlan {
        var configuration = configuration ?? Interceptor.Configuration()
        if let redaction { configuration.recording.redaction = redaction }
        configuration.missAdvice = MissAdvice(
            command: names.isEmpty ? nil : command, acceptance: names.isEmpty ? nil : "reportsMisses: false")
        let base = folder == nil ? file : filePath ?? file
        return ReplayPlan(
            names: names, search: ArchiveSearch(beside: base, root: folder, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: names.isEmpty ? mode ?? .replay : mode)
    }
}
