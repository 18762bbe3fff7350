import HTTPArchive
import Relay
import Synchronization
import Testing

/// A trait that expects the issues of a test, including those recorded by later traits.
///
/// Each expected text consists of the code or comment of an issue, with the prefix `warning` if it is not a failure,
/// and the distance in lines from the start of the test.
struct ExpectedIssues: TestTrait, TestScoping {
    let expected: [String]

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let found = Found()
        try await withKnownIssue(isIntermittent: true) {
            try await function()
        } matching: { issue in
            found.add(issue, of: test)
            return true
        }
        #expect(found.texts == expected, sourceLocation: test.sourceLocation)
    }

    private final class Found: Sendable {
        private let stored = Mutex<[String]>([])

        var texts: [String] { stored.withLock { $0 } }

        func add(_ issue: Issue, of test: Test) {
            let error =
                (issue.error as? RelayError)?.code.description ?? (issue.error as? HARError)?.code.description
            let comments = issue.comments.map(\.rawValue)
            let severity = issue.severity == .warning ? "warning" : nil
            let text = ([severity, error].compactMap { $0 } + comments).joined(separator: ": ")
            let line = issue.sourceLocation.map { $0.line - test.sourceLocation.line }
            stored.withLock { $0.append("\(text) at +\(line ?? -1)") }
        }
    }
}

extension Trait where Self == ExpectedIssues {
    static func expectsIssues(_ issues: String...) -> Self { ExpectedIssues(expected: issues) }
}
