import Foundation
import Relay
import RelayTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(XCTest)
    import XCTest
#endif

/// Support for tests that record.
///
/// Some of them must fail. See ``RecordingTests``.
enum FailingRecordings {
    static let variable = "RELAY_RUNS_FAILING_RECORDINGS"

    /// The folder for archives, or `nil` if no other test runs these tests.
    static let folder = ProcessInfo.processInfo.environment[variable]

    /// Returns the path of an archive in the folder.
    static func archive(_ name: String) -> String { (folder ?? "") + "/" + name }

    /// Makes a request whose connection is refused.
    ///
    /// The failure is recorded like any other result.
    static func request(_ path: String = "/") async {
        guard let url = URL(string: "http://127.0.0.1:9\(path)") else { return }
        _ = try? await URLSession.shared.data(from: url)
    }
}

@Suite(.limited, .enabled(if: FailingRecordings.folder != nil)) struct FailingRecordingTests {
    @Test(.replay(FailingRecordings.archive("succeeds"), mode: .all))
    func `succeeds`() async { await FailingRecordings.request() }

    @Test(.replay(FailingRecordings.archive("fails"), mode: .all))
    func `fails`() async {
        await FailingRecordings.request()
        Issue.record("It fails.")
    }

    @Test(.replay(FailingRecordings.archive("throws"), mode: .all))
    func `throws`() async throws {
        await FailingRecordings.request()
        throw CancellationError()
    }

    @Test(.replay(FailingRecordings.archive("warns"), mode: .all))
    func `warns`() async {
        await FailingRecordings.request()
        Issue.record("It is only a warning.", severity: .warning)
        withKnownIssue { Issue.record("It is known.") }
    }

    @Test(.replay(FailingRecordings.archive("succeeds/below"), mode: .all))
    func `cannot be recorded`() async { await FailingRecordings.request() }

    @MainActor @Test(arguments: [true, false]) func `an operation`(fails: Bool) async throws {
        let name = FailingRecordings.archive(fails ? "operation fails" : "operation")
        try await withReplay(name, mode: .all) {
            MainActor.assertIsolated()
            await FailingRecordings.request()
            if fails { Issue.record("It fails.") }
        }
    }
}

/// Tests that record into the same archive.
@Suite(
    .limited, .enabled(if: FailingRecordings.folder != nil), .replay(FailingRecordings.archive("shared"), mode: .all))
struct SharedRecordingTests {
    @Test func `the first one`() async { await FailingRecordings.request("/items") }

    @Test func `the second one`() async { await FailingRecordings.request("/items") }

    @Test(arguments: 1...3) func `a case`(number: Int) async { await FailingRecordings.request("/\(number)") }
}

#if canImport(XCTest)
    final class FailingRecordingCase: XCTestCase {
        override func setUpWithError() throws {
            try XCTSkipIf(FailingRecordings.folder == nil, "Another test runs these tests and expects one to fail.")
        }

        func testSucceeds() async throws {
            try replay(FailingRecordings.archive("case"), mode: .all)
            await FailingRecordings.request()
        }

        func testFails() async throws {
            try replay(FailingRecordings.archive("case fails"), mode: .all)
            await FailingRecordings.request()
            XCTFail("It fails.")
        }
    }
#endif
