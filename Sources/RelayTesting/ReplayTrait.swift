import HTTPArchive
import Relay
public import Testing

/// Answers a test's requests from archives; created by `@Test(.replay("shop"))`.
///
/// Each test, and each case of a parameterized test, has its own interceptor, so tests can run in parallel. Within the
/// test it is `Interceptor.current`. It intercepts requests of every session that are started in the test and its child
/// tasks, and is stopped when the test ends. Requests of detached tasks, threads, and queues are assigned by host: the
/// interceptor responds if no other active one knows the host.
///
/// In a mode that records, the archive is updated when the test ends. A test that failed leaves the archive unchanged.
///
/// The trait of a suite applies to all tests in it. If there are several traits, only the innermost one applies.
public struct ReplayTrait: TestTrait, SuiteTrait, TestScoping {
    /// The identity of a trait, to distinguish it from all others.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let plan: ReplayPlan
    private let reported: ReplayFindings.Kinds
    private let sourceLocation: SourceLocation

    /// `true`: the trait of a suite applies to all tests in it, not to the suite itself.
    public var isRecursive: Bool { true }

    init(_ plan: ReplayPlan, reported: ReplayFindings.Kinds, sourceLocation: SourceLocation) {
        self.plan = plan
        self.reported = reported
        self.sourceLocation = sourceLocation
    }

    /// Runs a test with its requests answered from archives, and records problems as issues of the test.
    ///
    /// Misses and unused entries are recorded at the line of the test. Errors of the trait itself, such as a missing
    /// archive, are recorded at the line of the trait, and the test does not run.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: The test case.
    ///   - function: The test's code.
    /// - Throws: Rethrows the error of the test's code.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        guard isInnermost(of: test) else { return try await function() }
        var plan = plan
        if plan.names.isEmpty { plan.names = [test.archiveName] }
        let interceptor: Interceptor
        do {
            interceptor = try plan.makeInterceptor(page: test.archiveName, sharesPage: test.isParameterized)
        } catch {
            Issue.record(error, sourceLocation: sourceLocation)
            return
        }
        let outcome = TestOutcome()
        let result = await outcome.observe(test, testCase) {
            try await interceptor.interceptEverySession { try await function() }
        }
        let recording = await interceptor.finishRecording(keeping: !outcome.hasFailed)
        ReplayFindings(interceptor.report, reported, recording: recording).record(at: test.sourceLocation)
        try result.get()
    }

    /// Whether this is the innermost trait of its kind.
    ///
    /// Traits of suites precede those of the test.
    private func isInnermost(of test: Test) -> Bool {
        let last = test.traits.last { $0 is ReplayTrait } as? ReplayTrait
        return last == nil || last?.identity === identity
    }
}
