import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ArchivePlayerTests {
    @Test func `identical requests receive the entries in order, and the last entry repeats`() throws {
        let interceptor = Interceptor(entries: ["1", "2", "3"].map { .entry(text: $0) })
        #expect(try (1...5).map { _ in try interceptor.text() } == ["1", "2", "3", "3", "3"])
    }

    @Test func `each combination of method and URL has its own sequence of entries`() throws {
        let interceptor = Interceptor(entries: [
            .entry(text: "a1"), .entry("POST", text: "post"), .entry("GET", "http://b/", text: "b1"),
            .entry(text: "a2"),
        ])
        #expect(try interceptor.text("post") == "post")
        #expect(try interceptor.text("GET", "HTTP://A:80#x") == "a1")
        #expect(try interceptor.text("GET", "http://b") == "b1")
        #expect(try interceptor.text() == "a2")
    }

    @Test func `a client without a cached copy receives the full response, and a client with a copy receives a 304`()
        throws
    {
        let interceptor = Interceptor(entries: [
            .entry(request: [("If-None-Match", "\"x\"")], status: 304, headers: [("ETag", "\"x\"")]),
            .entry(headers: [("ETag", "\"x\"")], text: "full"),
        ])
        #expect(try interceptor.response().status == 200)
        #expect(try interceptor.response(headers: [("if-none-match", "\"x\"")]).status == 304)
        #expect(try interceptor.text() == "full")
        #expect(try interceptor.response(headers: [("If-None-Match", "\"y\"")]).status == 200)
    }

    @Test func `a client with the recorded copy receives a 304 even if only the full response was recorded`() throws {
        let interceptor = Interceptor(entries: [
            .entry(
                headers: [("ETag", "W/\"x\""), ("Last-Modified", "yesterday"), ("X", "y"), ("Content-Length", "4")],
                text: "full")
        ])
        for condition in [
            ("If-None-Match", "\"a\", \"x\""), ("If-None-Match", "*"), ("If-Modified-Since", "yesterday"),
        ] {
            let response = try interceptor.response(headers: [condition])
            #expect(response.status == 304, "\(condition)")
            #expect(response.body.isEmpty)
            #expect(response.headers.map(\.name) == ["ETag"])
        }
        #expect(try interceptor.text(headers: [("If-Modified-Since", "today")]) == "full")
        #expect(
            try interceptor.text(headers: [("If-None-Match", "\"y\""), ("If-Modified-Since", "yesterday")]) == "full")
    }

    @Test func `a 304 recorded with content is a full response for a client without a copy`() throws {
        let interceptor = Interceptor(entries: [.entry(request: [("If-None-Match", "x")], status: 304, text: "full")])
        let response = try interceptor.response()
        #expect(response.status == 200)
        #expect(String(decoding: response.body, as: UTF8.self) == "full")
        #expect(try interceptor.response(headers: [("If-None-Match", "x")]).status == 304)
    }

    @Test func `a full response to a conditional request is also replayed for unconditional ones`() throws {
        let entry = HAR.Entry.entry(
            request: [("If-None-Match", "\"x\"")], headers: [("ETag", "\"x\"")], text: "full")
        #expect(try Interceptor(entries: [entry]).text(headers: [("If-None-Match", "\"x\"")]) == "full")
        #expect(try Interceptor(entries: [entry]).text() == "full")
    }

    @Test func `entries with the same condition take precedence over entries with an unknown condition`() throws {
        let interceptor = Interceptor(entries: [
            .entry(status: 304, headers: [("N", "0")]),
            .entry(request: [("If-None-Match", "a")], status: 304, headers: [("N", "1")]),
            .entry(request: [("If-None-Match", "b")], status: 304, headers: [("N", "2")]),
        ])
        let numbers = try ["b", "a", "c"].map { tag in
            try interceptor.response(headers: [("If-None-Match", tag)]).headers.values(named: "n")
        }
        #expect(numbers == [["2"], ["1"], ["0"]])
    }

    @Test func `a 304 without content is used if there is no other entry`() throws {
        let interceptor = Interceptor(entries: [.entry(status: 304, text: nil)])
        #expect(try interceptor.response().status == 304)
    }

    @Test func `a request without a matching entry fails, or is passed through if allowed`() throws {
        let error = #expect(throws: RelayError.self) {
            try Interceptor(entries: [.entry()]).response("GET", "http://b/")
        }
        #expect(error?.code == .noMatchingEntry)
        var configuration = Interceptor.Configuration()
        configuration.unmatchedRequests = .passThrough
        #expect(throws: CancellationError.self) {
            try Interceptor(entries: [.entry()], configuration: configuration).response("GET", "http://b/")
        }
    }

    @Test func `the error for a body that was not captured names the entry, and empty bodies can be allowed`() throws {
        let entries: [HAR.Entry] = [.entry("GET", "http://b/"), .entry(text: nil)]
        let error = #expect(throws: HARError.self) { try Interceptor(entries: entries, name: "a.har").response() }
        #expect(error?.code == .bodyNotCaptured)
        #expect(error?.context.pointer?.description == "/log/entries/1")
        #expect(error?.context.file == "a.har")
        var configuration = Interceptor.Configuration()
        configuration.deliversMissingBodiesAsEmpty = true
        #expect(try Interceptor(entries: entries, configuration: configuration).text() == "")
    }

    @Test func `entries without a valid HTTP request are ignored`() throws {
        let interceptor = Interceptor(entries: [
            .entry("GET", "data:text/plain,hi"), .entry("GET", "/relative"), .entry("GET", "wss://a/"),
            .entry(text: "x"),
        ])
        #expect(try interceptor.text() == "x")
    }

    @Test func `an archive on disk is replayed without loading it into memory`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("player-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("a.har")
        let file = HAR.Content(fields: ["size": 4, "mimeType": "text/plain", "_file": "body.txt"])
        try HAR.Log(
            creator: HAR.Creator(name: "Test", version: "1"),
            entries: [
                .entry(text: "1"), .entry(text: "2"), .entry("GET", "http://b/", body: file),
                .entry("GET", "http://c/"),
            ]
        ).write(to: url)
        try Data("file".utf8).write(to: folder.appendingPathComponent("body.txt"))

        let interceptor = try Interceptor(archive: url)
        #expect(try interceptor.text() == "1")
        #expect(try interceptor.text() == "2")
        #expect(try interceptor.text("GET", "http://b/") == "file")

        try Data("{}".utf8).write(to: url)
        let error = #expect(throws: HARError.self) { try interceptor.text("GET", "http://c/") }
        #expect(error?.code == .unreadableFile)
    }

    @Test func `each parallel request receives a different entry`() async throws {
        let interceptor = Interceptor(entries: (0..<100).map { .entry(text: String($0)) })
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 { group.addTask { try interceptor.text() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 100)
    }
}
