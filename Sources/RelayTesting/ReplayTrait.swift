import HTTPArchive
import Relay
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
