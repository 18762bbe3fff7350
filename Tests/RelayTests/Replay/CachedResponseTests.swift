import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Responses that are available when a task starts because no entry has to be read for them.
@Suite(.limited) struct CachedResponseTests {
    private let request = InterceptedRequest(url: "http://a/")

    private func text(_ response: InterceptedResponse?) -> String? {
        response.map { String(decoding: $0.body, as: UTF8.self) }
    }

    @Test func `a response is cached after its first use`() {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        #expect(text(interceptor.immediateResponse(to: request)) == nil)
        #expect(text(interceptor.immediateResponse(to: request)) == "x")
        #expect(text(interceptor.immediateResponse(to: InterceptedRequest(url: "http://b/"))) == nil)
    }

    @Test func `entries are used in order regardless of which responses are cached`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "1"), .entry(text: "2"), .entry(text: "3")])
        #expect(try (0..<3).map { _ in try interceptor.text() } == ["1", "2", "3"])
        #expect(text(interceptor.immediateResponse(to: request)) == "3")
        #expect(try interceptor.text() == "3")
    }

    @Test func `a cached response has the requested URL`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        _ = try interceptor.text("GET", "http://a/#1")
        for url in ["http://a/#1", "http://A/#2", "http://a/#1"] {
            #expect(interceptor.immediateResponse(to: InterceptedRequest(url: url))?.url == url)
        }
    }

    @Test func `a response that was cached for one method is not used for another`() throws {
        var configuration = Interceptor.Configuration()
        configuration.matching = RequestMatching(required: [.url])
        let interceptor = Interceptor(
            name: "test",
            archives: ArchiveLayers(
                [ReplaySource([.entry(headers: [("Content-Length", "1")], text: "x")], name: "a.har")],
                configuration: configuration), configuration: configuration)
        #expect(try interceptor.response("HEAD").body.isEmpty)
        #expect(try interceptor.text() == "x")
    }

    @Test func `a client that has a copy of the cached response receives a 304`() throws {
        let interceptor = Interceptor(entries: [.entry(headers: [("ETag", "\"x\"")], text: "full")])
        #expect(try interceptor.text() == "full")
        let field = HeaderField(name: "If-None-Match", value: "\"x\"")
        let response = interceptor.immediateResponse(to: InterceptedRequest(url: "http://a/", headers: [field]))
        #expect(response?.status == 304)
        #expect(response?.body.isEmpty == true)
    }

    @Test func `a value is converted once, and again if another type is needed or the conversion failed`() {
        let form = ConvertedForm()
        #expect(form.value { Int?.none } == nil)
        #expect(form.value { 1 } == 1)
        #expect(form.value { 2 } == 1)
        #expect(form.value { "text" } == "text")
    }

    @Test func `no request is answered immediately while earlier requests are waiting`() async throws {
        let interceptor = Interceptor(entries: [.entry()])
        _ = try interceptor.text()
        let gate = DispatchSemaphore(value: 0)
        interceptor.enqueue { gate.wait() }
        let isIdle = Atomic(true)
        await withCheckedContinuation { continuation in
            interceptor.decide(on: request) { _ in
                isIdle.store(interceptor.isIdle, ordering: .relaxed)
                continuation.resume()
            }
            gate.signal()
        }
        let wasIdle = isIdle.load(ordering: .relaxed)
        #expect(!wasIdle)
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(interceptor.immediateResponse(to: request) != nil)
    }

    @Test func `the response of a stub is available immediately`() {
        let interceptor = Interceptor.with(.stub("a/**", .text("x")))
        let response = interceptor.immediateResponse(to: InterceptedRequest(url: "http://a/1"))
        #expect(text(response) == "x")
        #expect(response?.url == "http://a/1")
        #expect(interceptor.immediateResponse(to: InterceptedRequest(url: "http://b/")) == nil)
    }

    @Test(arguments: [
        [Rule.stub(.where { _ in true }, .text("x"))],
        [.stub(.not(.where { _ in false }), .text("x"))],
        [.stub(.any, .text("x")), .override(.any, .status(201))],
        [.stub(.any, .text("x")), .passThrough(.host("a"))],
        [.stub(.any) { _ in .text("x") }],
    ])
    func `a response that may run user code or be changed is not available immediately`(rules: [Rule]) {
        let interceptor = Interceptor()
        interceptor.add(rules)
        #expect(interceptor.immediateResponse(to: request) == nil)
    }

    @Test func `the rules are evaluated once per request, whether or not it is answered immediately`() async throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        let draws = Atomic(0)
        let override = ResponseOverride.Applied(change: .now(readsBody: false) { _, _ in }) {
            draws.add(1, ordering: .relaxed)
            return false
        }
        interceptor.add(Rule(.any) { .overrides([override]) })
        for count in 1...3 {
            _ = try interceptor.text()
            let drawn = draws.load(ordering: .relaxed)
            #expect(drawn == count)
        }
        // The first response was read on the queue, so later responses are cached.
        #expect(interceptor.immediateResponse(to: request) != nil)
    }

    @Test func `archive responses are cached despite rules for other requests`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        #expect(try interceptor.text() == "x")
        interceptor.add(.stub("b/**", .text("y")), .override("c/**", .status(201)), .replay(.host("a")))
        #expect(text(interceptor.immediateResponse(to: request)) == "x")
        interceptor.add(.override(.host("a"), .status(201)))
        #expect(interceptor.immediateResponse(to: request) == nil)
    }
}
