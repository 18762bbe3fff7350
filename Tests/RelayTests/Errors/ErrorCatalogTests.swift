import ErrorCatalog
import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The error messages of `RelayCore` and `RelayURLSession`.
///
/// Each example triggers the actual error.
@Suite(.limited) struct ErrorCatalogTests {
    #if canImport(FoundationNetworking)
        @Test func `the messages of all errors are listed in the catalog`() async throws {
            let archives = try TemporaryArchives()
            var catalog = ErrorCatalog(replacing: [archives.folder.path: "FOLDER"])
            catalog.addMisses()
            try catalog.addArchives(archives)
            try await catalog.addEntries(archives)
            catalog.addRules()
            await catalog.addOverrides()
            try await catalog.addRecordings(archives)
            try catalog.addFiles(archives)
            try await catalog.addSessions(archives)
            try await catalog.addNetwork()
            try await catalog.addPlatforms()
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
            if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
            #expect(catalog.codes.isSuperset(of: RelayError.Code.all.map(\.description)))
            let codes: [HARError.Code] = [.bodyNotCaptured, .entryNotReplayable, .incompleteRecording]
            #expect(catalog.codes.isSuperset(of: codes.map(\.description)))
        }
    #endif
}

extension ErrorCatalog {
    fileprivate mutating func addMisses() {
        func add(_ title: String, _ url: String, _ entries: [HAR.Entry], _ matching: RequestMatching = .standard) {
            var configuration = Interceptor.Configuration()
            configuration.matching = matching
            let interceptor = Interceptor(entries: entries, name: "shop.har", configuration: configuration)
            _ = try? interceptor.response("GET", "http://a/used")
            self.add(title) { try interceptor.response("GET", url) }
        }
        add("another query", "http://a/items?page=2", [.entry("GET", "http://a/items?page=1")])
        add("another host", "http://b/items", [.entry("GET", "http://a/items"), .entry("GET", "http://a/")])
        add("no similar entry", "http://z/x", [.entry("GET", "http://a/"), .entry("GET", "http://a/")])
        add("the only entry is not similar", "http://z/x", [.entry("GET", "http://a/")])
        add("an empty archive", "http://a/", [])
        let used = HAR.Entry.entry("GET", "http://a/used")
        add("a used entry", "http://a/used", [used], RequestMatching(required: [.url], repetition: .once))
        add("no further entry in recorded order", "http://a/used", [used], .recordedOrder)
        self.add("no rule and no archive") { try Interceptor().response("GET", "http://a/") }
        self.add("no archive with entries") {
            let layers = ArchiveLayers(
                ["a.har", "b.har"].map { ReplaySource([], name: $0) }, configuration: Interceptor.Configuration())
            throw layers.miss(for: .request("GET", "http://a/"))
        }
    }

    fileprivate mutating func addArchives(_ archives: TemporaryArchives) throws {
        try archives.write("Recordings/shop.har", saying: "x")
        add("a misspelled archive name") {
            try Interceptor.replaying("shpo", mode: .replay, filePath: archives.sourceFile)
        }
        let broken = archives.folder.appendingPathComponent("broken.har")
        try Data(#"{"log":{"version":1.2.3,"entries":[]}}"#.utf8).write(to: broken)
        add("a broken archive") { try Interceptor.replaying("broken", mode: .replay, filePath: archives.sourceFile) }
        add("a missing file") { try Interceptor(archive: archives.folder.appendingPathComponent("none.har")) }
    }

    fileprivate mutating func addEntries(_ archives: TemporaryArchives) async throws {
        func add(_ title: String, _ entry: HAR.Entry) {
            let interceptor = Interceptor(entries: [entry], name: "shop.har", folder: archives.folder)
            self.add(title) { try interceptor.response(entry.request.method) }
        }
        add("a body that was not captured", .entry(text: nil))
        add("a status that is not final", .entry(status: 1000))
        add("a protocol switch", .entry(status: 101))
        add("an informational status", .entry(status: 103))
        add("a proxy tunnel", .entry("CONNECT"))
        var text = HAR.Entry.entry()
        text.response["status"] = "OK"
        add("a status that is a string", text)
        text.response["status"] = true
        add("a status that is a Boolean", text)
        let file = HAR.Content(fields: ["size": 11, "mimeType": "text/plain", "_file": "missing.txt"])
        add("a missing body file", .entry(body: file))
        var failed = HAR.Entry.entry(status: 0)
        failed.response["_error"] = "net::ERR_NAME_NOT_RESOLVED"
        add("a recorded failure", failed)
    }

    fileprivate mutating func addRules() {
        for text in [
            "ftp://a", "http://a b", "http://me@a", "http://a?b", "http://", "http://[a", "http://a:99999",
        ] { add("the route \(text)") { try Route(from: text, to: "http://localhost") } }
        add("a regular expression for URLs") { try RequestPattern.matching(regularExpression: "/items/[0-9") }
        add("a regular expression for bodies") {
            try ResponseOverride.replacing(regularExpression: "([", with: "")
        }
        add("a regular expression that needs too much time") {
            let url = "http://a/" + String(repeating: "a", count: 50) + "!"
            _ = try Rule.fail(.matching(regularExpression: "(a+)+$")).affects(
                InterceptedRequest(method: "GET", url: url))
        }
        add("a pointer without a slash") { try ResponseOverride.json(at: "items", 1) }
        add("a mode") { try ReplayMode.named(in: [ReplayMode.variable: "recrod"]) }
        add("a mode similar to a known one") { try ReplayMode.named(in: [ReplayMode.variable: "replya"]) }
        add("a network policy") { try NetworkPolicy(named: "forbidden") }
    }

    fileprivate mutating func addOverrides() async {
        func add(_ title: String, _ body: String, type: String = "application/json", _ override: ResponseOverride?)
            async
        {
            guard let override else { return }
            let reply = Reply.text(body, type: type)
            let interceptor = Interceptor.with(.stub(.any, reply), .override(.any, override))
            await self.add(title, awaiting: { try await interceptor.session().text("http://a/?token=secret") })
        }
        await add("an override of a value that does not exist", #"{"a":[1]}"#, try? .json(at: "/a/7/b", 1))
        await add("an override of a body that is not JSON", "plain", try? .json(at: "/a", 1))
        await add(
            "an override with an expression that needs too much time", String(repeating: "a", count: 50) + "!",
            try? .replacing(regularExpression: "(a+)+$", with: ""))
        await add(
            "an override that the charset cannot encode", "price", type: "text/plain; charset=iso-8859-1",
            .replacing("price", with: "\u{4EF7}"))
    }
}
