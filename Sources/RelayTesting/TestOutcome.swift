import Relay
import Synchronization
import Testing

/// The outcome of a test so far: whether it has failed, and the descriptions of its failures.
final class TestOutcome: Sendable {
    private let failed = Atomic(false)
    private let shown = Mutex<[String]>([])

    /// Whether the test has failed.
    var hasFailed: Bool { failed.load(ordering: .sequentiallyConsistent) }

    /// Marks the test as failed.
    func fail() { failed.store(true, ordering: .sequentiallyConsistent) }

    /// Adds the description of a failure.
    func show(_ text: String) { shown.withLock { $0.append(text) } }

    /// Whether the description of any failure contains the given text.
    func hasShown(_ text: String) -> Bool { shown.withLock { $0.contains { $0.contains(text) } } }

    /// Runs the code of a test and notes whether it fails, either by recording an issue or by throwing an error.
    ///
    /// Outside Swift Testing, only a thrown error counts.
    ///
    /// - Parameters:
    ///   - test: The test; the current one by default.
    ///   - testCase: The test case; the current one by default.
    ///   - isolation: The actor that the code runs on; the caller's by default.
    ///   - function: The code.
    /// - Returns: The result of the code.
    func observe<Value>(
        _ test: Test? = .current, _ testCase: Test.Case? = .current, isolation: isolated (any Actor)? = #isolation,
        _ function: () async throws -> Value
    ) async -> Result<Value, any Error> {
        // The code runs on its actor while the caller waits, so the result is never accessed concurrently.
        nonisolated(unsafe) var result: Result<Value, any Error>?
        await withoutActuallyEscaping(function) { function in
            nonisolated(unsafe) let run = {
                do { result = .success(try await function()) } catch { result = .failure(error) }
            }
            if let test {
                try? await noting.provideScope(for: test, testCase: testCase) {
                    await Self.perform(run, on: isolation)
                }
            }
            if result == nil { await Self.perform(run, on: isolation) }
        }
        if case .failure(let error) = result {
            fail()
            show("\(error)")
        }
        return result ?? .failure(CancellationError())
    }

    private static func perform(_ function: () async -> Void, on _: isolated (any Actor)?) async { await function() }

    private var noting: IssueHandlingTrait {
        .compactMapIssues { [self] issue in
            #if compiler(>=6.3)
                let isFailure = issue.isFailure
            #else
                let isFailure = !issue.isKnown
            #endif
            if isFailure {
                fail()
                if let error = issue.error { show("\(error)") }
            }
            return issue
        }
    }
}
