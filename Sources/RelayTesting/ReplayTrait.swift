public import Foundation
public import HTTPArchive
public import Relay
public import Testing

/// A trait that responds to a test's requests from archives or stubs, as in `@Test(.replay("shop"))` or
/// `@Test(.stubs(…))`.
///
/// Each test, and each case of a parameterized test, has a separate interceptor, so tests can run in parallel. Within
/// the test, the interceptor is available as `Interceptor.current`. It intercepts requests that the test and its child
/// tasks start in any session, and is stopped when the test ends. Requests from detached tasks, threads, and queues are
/// assigned by host: the interceptor answers a request if no other active interceptor has entries or rules for the
/// host.
///
/// In a recording mode, the archive is updated when the test ends. A failed test leaves the archive unchanged.
///
/// The trait of a suite applies to all tests in it. The trait of a test or of an inner suite refines it: its settings
/// and names replace inherited ones, and its rules are added to inherited rules. The ``ReplayDefaultSettings`` of a
/// target apply to all of its tests.
public struct ReplayTrait: TestTrait, SuiteTrait, TestScoping {
    /// The archives of a trait.
    enum Archives {
        /// The archives with these names. If the list is empty, the names are inherited. If there are no inherited
        /// names, the archive is named after the test.
        case named([String])

        /// The same archives as for an empty list of names, except that the archive named after the test can be
        /// missing.
        case optional

        /// The trait has no archives.
        case none
    }

    /// An object that distinguishes a trait from all others by identity.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let archives: Archives
    private let settings: ReplaySettings

    /// The location of the trait, or nil if the location is unknown because the trait is written without parentheses.
    private let sourceLocation: SourceLocation?

    /// Whether the trait of a suite applies to all tests in it instead of the suite itself; always `true`.
    public var isRecursive: Bool { true }

    init(_ archives: Archives, settings: ReplaySettings, sourceLocation: SourceLocation?) {
        self.archives = archives
        self.settings = settings
        self.sourceLocation = sourceLocation
    }

    /// Runs a test, responds to its requests from archives, and records problems as issues of the test.
    ///
    /// Misses and unused entries are recorded at the line of the test. If the trait itself fails, for example because
    /// an archive is missing, the error is recorded at the line of the trait and the test does not run.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: The test's code.
    /// - Throws: Any error thrown by the test's code.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard isInnermost(of: test) else { return try await function() }
        let settings = Self.settings(of: test)
        let interceptor: Interceptor
        do {
            let plan = Self.plan(of: test, settings)
            interceptor = try plan.makeInterceptor(page: test.archiveName, sharesPage: test.isParameterized)
        } catch {
            Issue.record(error, sourceLocation: sourceLocation ?? test.sourceLocation)
            return
        }
        let outcome = TestOutcome()
        let result = await outcome.observe(test, testCase) {
            #if Server
                if let server = settings.server { return try await interceptor.serve(function, configuration: server) }
            #endif
            try await interceptor.interceptEverySession { try await function() }
        }
        await interceptor.findings(after: outcome, settings).record(at: test.sourceLocation)
        try result.get()
    }

    /// Returns the settings of a test: the settings of its target, refined by its suites and by its traits.
    static func settings(of test: Test) -> ReplaySettings {
        traits(of: test).reduce(.defaults(ofFile: test.sourceLocation.fileID)) { $0.refined(by: $1.settings) }
    }

    /// Returns the plan for a test.
    ///
    /// The innermost trait with names selects the archives.
    private static func plan(of test: Test, _ settings: ReplaySettings) -> ReplayPlan {
        var names: [String] = []
        var isOptional = false
        var hasArchives = true
        var location: SourceLocation?
        for trait in traits(of: test) {
            hasArchives = true
            switch trait.archives {
            case .named(let named) where !named.isEmpty: (names, location) = (named, trait.sourceLocation)
            case .named: if names.isEmpty { (isOptional, location) = (false, trait.sourceLocation) }
            case .optional: if names.isEmpty { (isOptional, location) = (true, trait.sourceLocation) }
            case .none: hasArchives = false
            }
        }
        let isOwn = names.isEmpty
        if isOwn { names = [test.archiveName] }
        let file = (location ?? test.sourceLocation).path
        var plan = settings.plan(names: hasArchives ? names : [], beside: file, command: test.recordingCommand)
        plan.isOptional = isOwn && isOptional
        return plan
    }

    /// Returns the replay traits of a test, starting with the traits of its suites.
    private static func traits(of test: Test) -> [ReplayTrait] { test.traits.compactMap { $0 as? ReplayTrait } }

    /// Whether this is the innermost replay trait of a test.
    private func isInnermost(of test: Test) -> Bool {
        let last = Self.traits(of: test).last
        return last == nil || last?.identity === identity
    }
}

extension SourceLocation {
    /// The path of the file.
    var path: String {
        #if compiler(>=6.3)
            filePath
        #else
            _filePath
        #endif
    }
}

extension Test {
    /// The default name of the test's archive.
    var archiveName: String { TestName.archiveName(of: id.nameComponents) }

    /// The command that runs the test and records the requests that have no entry yet.
    var recordingCommand: String { RecordingCommand.text(module: id.moduleName, names: id.nameComponents) }
}

extension Trait where Self == ReplayTrait {
    /// Answers the requests of a test from the archives named by its suite, or else from the archive named after the
    /// test; see
    /// ``replay(_:in:folder:matching:redaction:rules:configuration:mode:reportsMisses:reportsUnusedEntries:reportsUnusedRules:reportsChangedBodies:fileID:filePath:line:column:)``.
    ///
    /// ```swift
    /// @Test(.replay) func `the shop has apples`() async throws { … }
    /// ```
    public static var replay: Self { ReplayTrait(.named([]), settings: ReplaySettings(), sourceLocation: nil) }

    /// Answers the requests of a test, or of each test in a suite, from archives.
    ///
    /// ```swift
    /// import Foundation
    /// import Relay
    /// import RelayTesting
    /// import Testing
    ///
    /// @Test(.replay("shop"))
    /// func `the shop has apples`() async throws {
    ///     #expect(try await Shop().items().contains("apples"))
    /// }
    /// ```
    ///
    /// Relay looks for the archive `NAME.har` in the folder of the test's file, then in its subfolder `Recordings`, and
    /// then at the same two paths in the bundle. An archive that several tests use is opened only once.
    ///
    /// A setting that is nil is inherited from the trait of an enclosing suite, or else from the
    /// ``ReplayDefaultSettings`` of the test target.
    ///
    /// - Parameters:
    ///   - names: The names of the archives in order of precedence, with or without `.har`; they can include folders.
    ///     If names are omitted, they are inherited. If no names are inherited, the name is derived from the test, such
    ///     as `ShopTests/the-shop-has-apples`, with a folder for each enclosing type and `-` instead of all characters
    ///     other than letters, digits and `_`. If there are rules but no names, this archive can be missing.
    ///   - bundle: A bundle with archives in its resources, such as `.module`; nil by default.
    ///   - folder: The only folder to search for archives and to record into, absolute or relative to the folder of the
    ///     trait's file.
    ///   - matching: The rules for selecting entries; the setting in `configuration` by default.
    ///   - redaction: The redaction settings for recordings and messages; the setting in `configuration` by default.
    ///   - rules: Additional rules, such as stubs and overrides; none by default. They take precedence over the
    ///     archives and over inherited rules.
    ///   - configuration: All other settings; defaults if omitted.
    ///   - mode: The replay mode. If it is nil at all levels, the environment variable `RELAY_MODE` sets the mode
    ///     (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`). If the variable is not set either,
    ///     `configuration` determines the mode.
    ///   - reportsMisses: Whether each miss is reported as an issue of the test, even if the code under test ignores
    ///     the error; `true` by default.
    ///   - reportsUnusedEntries: Whether unused entries are reported as an issue of the test; `false` by default.
    ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue of the test;
    ///     `false` by default.
    ///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as an issue of
    ///     the test instead of a warning; `false` by default.
    ///   - fileID: The trait's file.
    ///   - filePath: The path of the trait's file, whose folder is searched for archives.
    ///   - line: The trait's line.
    ///   - column: The trait's column.
    /// - Returns: The trait.
    public static func replay(
        _ names: String..., in bundle: Bundle? = nil, folder: String? = nil, matching: RequestMatching? = nil,
        redaction: HARRedactor.Configuration? = nil, rules: [Rule] = [],
        configuration: Interceptor.Configuration? = nil, mode: ReplayMode? = nil, reportsMisses: Bool? = nil,
        reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
        let settings = ReplaySettings(
            folder: folder, bundle: bundle, matching: matching, redaction: redaction, rules: rules,
            configuration: configuration, mode: mode, reportsMisses: reportsMisses,
            reportsUnusedEntries: reportsUnusedEntries, reportsUnusedRules: reportsUnusedRules,
            reportsChangedBodies: reportsChangedBodies, filePath: filePath)
        return ReplayTrait(
            names.isEmpty && !rules.isEmpty ? .optional : .named(names), settings: settings,
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Answers the requests of a test, or of each test in a suite, with stubs instead of archives.
    ///
    /// ```swift
    /// @Test(.stubs(.stub("api.example.com/items", .jsonValue(["apples"]))))
    /// func `the shop has apples`() async throws { … }
    /// ```
    ///
    /// A request that matches no rule fails and is reported as an issue of the test.
    ///
    /// - Parameters:
    ///   - rules: The rules. Later rules take precedence over earlier ones, and all of them take precedence over
    ///     inherited rules.
    ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue of the test. If
    ///     it is nil (the default), the setting is inherited. If it is not set at any level, it is `false`.
    ///   - fileID: The trait's file.
    ///   - filePath: The path of the trait's file.
    ///   - line: The trait's line.
    ///   - column: The trait's column.
    /// - Returns: The trait.
    public static func stubs(
        _ rules: Rule..., reportsUnusedRules: Bool? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> Self {
        let settings = ReplaySettings(rules: rules, reportsUnusedRules: reportsUnusedRules, filePath: filePath)
        return ReplayTrait(
            .none, settings: settings,
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
