import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// In-memory entries with custom errors and body files.
@Suite(.limited) struct FailingEntriesTests {
    private struct OwnError: Error, Equatable { var text: String }

    @Test func `a request fails with a custom error instead of a response`() async throws {
        let entries: [HAR.Entry] = [.entry(text: "first"), .entry(text: "second"), .entry(text: "third")]
        let session = Interceptor(entries: entries, failures: [1: OwnError(text: "mine")]).session()
        #expect(try await session.text("http://a/") == "first")
        await #expect(throws: (any Error).self) { try await session.text("http://a/") }
        #expect(try await session.text("http://a/") == "third")
        let interceptor = Interceptor(entries: entries, failures: [0: OwnError(text: "mine")])
        #expect(throws: OwnError(text: "mine")) { try interceptor.response() }
    }

    @Test func `bodies are read from files in the folder`() throws {
        let archives = try TemporaryArchives()
        try Data("from a file".utf8).write(to: archives.folder.appendingPathComponent("body.txt"))
        let file = HAR.Content(fields: ["size": 11, "mimeType": "text/plain", "_file": "body.txt"])
        let entry = HAR.Entry.entry(body: file)
        #expect(try Interceptor(entries: [entry], folder: archives.folder).text() == "from a file")
        #expect(throws: HARError.self) { try Interceptor(entries: [entry]).text() }
    }
}
