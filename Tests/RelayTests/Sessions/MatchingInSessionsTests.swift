import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The selection of entries, tested with a real session.
@Suite(.limited) struct MatchingInSessionsTests {
    private static let json = ["Content-Type": "application/json"]

    @Test func `two POST requests are distinguished by their bodies`() async throws {
        let session = Interceptor(entries: [
            .entry("POST", text: "first").requested(#"{"name":"a","n":1}"#, type: "application/json"),
            .entry("POST", text: "second").requested(#"{"name":"b","n":1}"#, type: "application/json"),
        ]).session()
        for (name, text) in [("b", "second"), ("a", "first"), ("b", "second")] {
            let request = URLRequest(
                "http://a/", method: "POST", headers: Self.json, body: #"{ "n": 1, "name": "\#(name)" }"#)
            #expect(try await session.text(request) == text)
        }
    }

    @Test func `GraphQL operations are distinguished by name`() async throws {
        func body(_ name: String) -> String { #"{"query":"query \#(name) { x }"}"# }
        let entries = ["A", "B"].map {
            HAR.Entry.entry("POST", text: $0).requested(body($0), type: "application/json")
        }
        let session = Interceptor(entries, matching: .graphQL).session()
        for name in ["B", "A", "B"] {
            let request = URLRequest("http://a/", method: "POST", headers: Self.json, body: body(name))
            #expect(try await session.text(request) == name)
        }
    }

    @Test func `the order of query items is ignored`() async throws {
        let session = Interceptor(entries: [.entry("GET", "http://a/?x=1&y=2", text: "found")]).session()
        #expect(try await session.text("http://a/?y=2&x=1") == "found")
    }

    @Test func `with repetition 'once', entries are used up, and the error says so`() async throws {
        var matching = RequestMatching.standard
        matching.repetition = .once
        let session = Interceptor(["1", "2"].map { .entry(text: $0) }, matching: matching).session()
        #expect(try await session.text("http://a/") == "1")
        #expect(try await session.text("http://a/") == "2")
        let error = await #expect(throws: (any Error).self) { try await session.text("http://a/") }
        let text = try #require(error?.localizedDescription)
        #expect(text.contains("is used up"))
    }

    @Test func `an archive is replayed in recorded order`() async throws {
        let session = Interceptor(["1", "2"].map { .entry(text: $0) }, matching: .recordedOrder).session()
        #expect(try await session.text("http://x/y") == "1")
        #expect(try await session.text(URLRequest("http://z/", method: "POST", body: "b")) == "2")
    }

    @Test func `archives on disk are searched in order of precedence`() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("layers-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let archives: [[HAR.Entry]] = [
            [.entry(text: "first")], [.entry(text: "hidden"), .entry("GET", "http://b/", text: "second")],
        ]
        let urls = try archives.enumerated().map { number, entries in
            let url = folder.appendingPathComponent("\(number).har")
            try HAR.Log(creator: HAR.Creator(name: "Test", version: "1"), entries: entries).write(to: url)
            return url
        }
        let interceptor = try Interceptor(archives: urls)
        #expect(interceptor.name == "0.har, 1.har")
        let session = interceptor.session()
        for _ in 0..<2 {
            #expect(try await session.text("http://a/") == "first")
            #expect(try await session.text("http://b/") == "second")
        }
    }
}
