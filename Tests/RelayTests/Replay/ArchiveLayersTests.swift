import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ArchiveLayersTests {
    private func layers(
        _ archives: [[HAR.Entry]], _ configure: (inout Interceptor.Configuration) -> Void = { _ in }
    ) -> ArchiveLayers {
        var configuration = Interceptor.Configuration()
        configure(&configuration)
        return ArchiveLayers(
            archives.enumerated().map { ReplaySource($1, name: "\($0).har") }, configuration: configuration)
    }

    private func text(_ played: (archive: String, entry: Int, reply: Reply)?) throws -> String? {
        try played.map { String(decoding: try $0.reply.result.get().body, as: UTF8.self) }
    }

    @Test func `the first archive with a matching entry responds`() throws {
        let layers = layers([
            [.entry(text: "first")], [.entry(text: "hidden"), .entry("GET", "http://b/x?y", text: "second")],
        ])
        #expect(!layers.isEmpty)
        let first = layers.play(.request())
        #expect(try text(first) == "first")
        #expect(first?.archive == "0.har" && first?.entry == 0)
        let second = layers.play(.request("GET", "http://b/x?y"))
        #expect(try text(second) == "second")
        #expect(second?.archive == "1.har" && second?.entry == 1)
        #expect(layers.play(.request("GET", "http://c/")) == nil)
        #expect(self.layers([]).isEmpty)
    }

    @Test func `the next archive responds when the entries of the first are used up`() throws {
        let layers = layers([[.entry(text: "1")], [.entry(text: "2")]]) { $0.matching.repetition = .once }
        #expect(try (0..<3).map { _ in try text(layers.play(.request())) } == ["1", "2", nil])
    }

    @Test func `in recorded order, replay continues in the next archive`() throws {
        let layers = layers([[.entry(text: "1")], [.entry(text: "2")]]) { $0.matching = .recordedOrder }
        #expect(try (0..<3).map { _ in try text(layers.play(.request())) } == ["1", "2", nil])
    }

    @Test func `replaying an entry without a body fails even if the next archive has a match`() {
        let layers = layers([[.entry(text: nil)], [.entry(text: "2")]])
        #expect(throws: HARError.self) { try text(layers.play(.request())) }
    }

    @Test func `a response is available immediately if earlier archives have no match`() throws {
        let layers = layers([[.entry(text: "1")], [.entry("GET", "http://b/", text: "2")]])
        let request = InterceptedRequest.request("GET", "http://b/")
        #expect(layers.playImmediately(request) == nil)
        _ = layers.play(request)
        #expect(layers.playImmediately(request)?.body == Data("2".utf8))
    }

    @Test func `a response is available immediately for entries that differ only in their request bodies`() throws {
        let layers = layers([["1", "2"].map { .entry("POST", text: $0).requested($0) }])
        for body in ["1", "2"] {
            let request = InterceptedRequest.request("POST", body: body)
            #expect(layers.playImmediately(request) == nil)
            _ = layers.play(request)
            #expect(layers.playImmediately(request)?.body == Data(body.utf8))
        }
    }

    @Test func `a large body is not compared if the request must be answered immediately, unless bodies are ignored`()
        throws
    {
        let body = String(repeating: "x", count: 1 << 16)
        let request = InterceptedRequest.request("POST", body: body)
        let several = layers([["1", body].map { .entry("POST", text: "text").requested($0) }])
        let alone = layers([[.entry("POST", text: "text").requested("1")]])
        for layers in [several, alone] { _ = layers.play(request) }
        #expect(several.playImmediately(request) == nil)
        #expect(alone.playImmediately(request) != nil)
    }

    @Test func `no response is available immediately if a matcher is a closure`() throws {
        let closure = RequestMatcher.custom("any") { _, _ in .match }
        let layers = layers([[.entry(text: "1")]]) { $0.matching.required.append(closure) }
        _ = layers.play(.request())
        #expect(layers.playImmediately(.request()) == nil)
        #expect(try text(layers.play(.request())) == "1")
    }

    @Test func `a replayed response has the timings and the failure of its entry`() throws {
        var entry = HAR.Entry.entry()
        entry.timings = HAR.Timings(send: 1, wait: 2, receive: 3)
        #expect(layers([[entry]]).play(.request())?.reply.recorded?.timings.wait == 2)
        var failed = HAR.Entry.entry(status: 0)
        failed.response.fields["_error"] = "net::ERR_CONNECTION_REFUSED"
        #expect(throws: URLError.self) { try layers([[failed]]).play(.request())?.reply.result.get() }
    }

    @Test func `the error for an entry that cannot be replayed contains no secrets from the URL`() throws {
        let layers = layers([[.entry("GET", "http://a/?token=secret", text: nil)]])
        let answer = layers.play(.request("GET", "http://me:hidden@a/?token=secret"))
        let error = #expect(throws: HARError.self) { try answer?.reply.result.get() }
        #expect(error?.message.contains("token=•••") == true)
        #expect(error?.message.contains("secret") == false && error?.message.contains("hidden") == false)
    }
}
