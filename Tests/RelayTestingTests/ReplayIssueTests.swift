import Foundation
import HTTPArchive
import Relay
import RelayTesting
import Testing

@Suite(.limited) struct ReplayIssueTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

    /// The warning for a truncated archive.
    private static let damage =
        (try? HARArchive(contentsOf: URL(fileURLWithPath: "\(folder)/Recordings/damaged.har")))?.damage?.description
        ?? ""

    @Test(.expectsIssues("noMatchingEntry at +0"), .replay("shop"))
    func `a miss is an issue at the line of the test, even if the code ignores the error`() async {
        _ = try? await Shop.text("/pears")
    }

    @Test(
        .expectsIssues("noMatchingEntry: This request was made 3 times. at +0", "noMatchingEntry at +0"),
        .replay("shop"))
    func `repeated misses of a request are one issue`() async {
        for path in ["/pears", "/pears", "/plums", "/pears"] { _ = try? await Shop.text(path) }
    }

    @Test(.replay("shop", reportsMisses: false))
    func `an expected miss is not an issue`() async throws {
        await #expect(throws: (any Error).self) { try await Shop.text("/pears") }
        #expect(Interceptor.current?.report.missCount == 1)
    }

    @Test(
        .expectsIssues(
            "\(Self.folder)/shop.har: 1 of 2 entries was not used:\n  entry 1  GET http://shop.invalid/prices at +0"),
        .replay("shop", reportsUnusedEntries: true))
    func `unused entries are reported as an issue if enabled`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }

    @Test(.replay("shop", reportsUnusedEntries: true))
    func `no issue is reported if all entries were used`() async throws {
        for path in ["/items", "/prices"] { _ = try await Shop.text(path) }
    }

    @Test(
        .expectsIssues("unreadableArchive at +2"),
        .replay("there-is-none")) func `a missing archive is an issue at the line of the trait`()
    {
        Issue.record("The test ran.")
    }

    @Test(.expectsIssues("warning: \(Self.damage) at +0"), .replay("damaged"))
    func `a truncated archive is a warning`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }

    @Test(.expectsIssues("warning: \(Self.damage) at +0", "noMatchingEntry at +0"), .replay("damaged"))
    func `a request for a missing entry of a truncated archive is a failure`() async {
        _ = try? await Shop.text("/prices")
    }

    @Test func `issues of an operation are reported at the calling line`() async throws {
        let line = #line + 2
        try await withKnownIssue {
            try await withReplay("shop") { _ = try? await Shop.text("/pears") }
        } matching: { issue in
            (issue.error as? RelayError)?.code == .noMatchingEntry && issue.sourceLocation?.line == line
        }
    }

    @Test func `an operation throws for a missing archive`() async {
        await #expect { try await withReplay("there-is-none") {} } throws: { error in
            (error as? RelayError)?.code == .unreadableArchive
        }
    }

    @Test(.replay("shop")) func `the archive of an operation replaces the archive of the trait`() async throws {
        let inner = try await withReplay("sale") { try await Shop.text("/prices") }
        #expect(inner == "half")
        #expect(try await Shop.text("/prices") == "1")
    }

    @Test(arguments: ["anna", "bob"]) func `each case of a test can have its own archive`(user: String) async throws {
        let name = try await withReplay("users/\(user)") { try await Shop.text("/me") }
        #expect(name == user)
    }
}
