import Foundation
import HTTPArchive
import Relay
import RelayTesting
import Testing

@Suite struct ReplayIssueTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().path

    /// What is wrong with an archive whose end is missing.
    private static let damage =
        (try? HARArchive(contentsOf: URL(fileURLWithPath: "\(folder)/Recordings/damaged.har")))?.damage?.description
        ?? ""

    @Test(.expectsIssues("noMatchingEntry at +0"), .replay("shop"))
    func `a miss is an issue at the line of the test, even if its code goes on`() async {
        _ = try? await Shop.text("/pears")
    }

    @Test(
        .expectsIssues("noMatchingEntry: This request came 3 times. at +0", "noMatchingEntry at +0"),
        .replay("shop"))
    func `a request that misses again is no other issue`() async {
        for path in ["/pears", "/pears", "/plums", "/pears"] { _ = try? await Shop.text(path) }
    }

    @Test(.replay("shop", reportsMisses: false))
    func `a miss that the test expects is none`() async throws {
        await #expect(throws: (any Error).self) { try await Shop.text("/pears") }
        #expect(Interceptor.current?.report.missCount == 1)
    }

    @Test(
        .expectsIssues(
            "\(Self.folder)/shop.har: 1 of 2 entries were not used:\n  entry 1  GET http://shop.invalid/prices at +0"),
        .replay("shop", reportsUnusedEntries: true))
    func `entries that no request got are an issue where that is wanted`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }

    @Test(.replay("shop", reportsUnusedEntries: true))
    func `none is one when all were used`() async throws {
        for path in ["/items", "/prices"] { _ = try await Shop.text(path) }
    }

    @Test(
        .expectsIssues("unreadableFile at +2"),
        .replay("there-is-none")) func `an archive that is not there is an issue at the line of the trait`()
    {
        Issue.record("The test was run.")
    }

    @Test(.expectsIssues("warning: \(Self.damage) at +0"), .replay("damaged"))
    func `an archive whose end is missing is a warning`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }

    @Test(.expectsIssues("warning: \(Self.damage) at +0", "noMatchingEntry at +0"), .replay("damaged"))
    func `a request for what was behind the end is a failure`() async {
        _ = try? await Shop.text("/prices")
    }

    @Test func `an operation has its issues at the calling line`() async throws {
        let line = #line + 2
        try await withKnownIssue {
            try await withReplay("shop") { _ = try? await Shop.text("/pears") }
        } matching: { issue in
            (issue.error as? HARError)?.code == .noMatchingEntry && issue.sourceLocation?.line == line
        }
    }

    @Test func `an operation throws for an archive that is not there`() async {
        await #expect { try await withReplay("there-is-none") {} } throws: { error in
            (error as? HARError)?.code == .unreadableFile
        }
    }

    @Test(.replay("shop")) func `an operation's archive takes the place of the trait's`() async throws {
        let inner = try await withReplay("sale") { try await Shop.text("/prices") }
        #expect(inner == "half")
        #expect(try await Shop.text("/prices") == "1")
    }

    @Test(arguments: ["anna", "bob"]) func `each case of a test can have an archive`(user: String) async throws {
        let name = try await withReplay("users/\(user)") { try await Shop.text("/me") }
        #expect(name == user)
    }
}
