import HTTPArchive
import Relay
public import Testing

/// Has a test's requests answered from archives: what `@Test(.replay("shop"))` makes.
///
/// Each test, and each case of a parameterised one, has an interceptor of its own, so that tests run in parallel. Within the
/// test that is `Interceptor.current`. It takes what every session starts in the test and in tasks that are made in it, and is
/// stopped when the test ends. Requests of detached tasks, threads, and queues are assigned by host: the interceptor responds
/// if no other active one knows the host.
///
/// Where its mode records, what was recorded takes its place in the archive when the test ends. A test that failed leaves the
/// archive as it was.
///
/// In front of a suite it holds for every test below. Where several hold, the innermost one takes the place of the others.
public struct ReplayTrait: TestTrait, SuiteTrait, TestScoping {
    /// What tells a trait from all others.
    private final class Identity: Sendable {}

    private let identity = Identity()
    private let plan: ReplayPlan
    private let reported: ReplayFindings.Kinds
    private let sourceLocation: SourceLocation

    /// `true`: the trait holds for every test below a suite, and not for the suite itself.
    public var isRecursive: Bool { true }

    init(_ plan: ReplayPlan, reported: ReplayFindings.Kinds, sourceLocation: SourceLocation) {
        self.plan = plan
        self.reported = reported
        self.sourceLocation = sourceLocation
    }

    /// Runs a test with its requests answered, and records what was not right with them as issues of the test.
    ///
    /// Misses and unused entries are recorded at the line of the test; what is wrong with the trait itself, such as an archive
    /// that is not there, at the line of the trait, and the test is not run.
    ///
    /// - Parameters:
    ///   - test: The test.
    ///   - testCase: Its case.
    ///   - function: The test's code.
    /// - Throws: What the test's code throws.
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

    /// Whether no other trait of this kind is nearer to a test; those of suites stand before the test's own.
    private func isInnermost(of test: Test) -> Bool {
        let last = test.traits.last { $0 is ReplayTrait } as? ReplayTrait
        return last == nil || last?.identity === identity
    }
}
