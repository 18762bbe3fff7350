import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Responses that are available when a task is created because nothing has to be read.
@Suite struct KnownResponseTests {
    private func text(_ known: CachedResponse?) -> String? {
        known.map { String(decoding: $0.response.body, as: UTF8.self) }
    }

    @Test func `a response is known after its first use`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        let request = InterceptedRequest(url: "http://a/")
        #expect(text(interceptor.cachedResponse(to: request)) == nil)
        #expect(try interceptor.text() == "x")
        #expect(text(interceptor.cachedResponse(to: request)) == "x")
        #expect(text(interceptor.cachedResponse(to: InterceptedRequest(url: "http://b/"))) == nil)
    }

    @Test func `entries take turns regardless of which responses are known`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "1"), .entry(text: "2"), .entry(text: "3")])
        let request = InterceptedRequest(url: "http://a/")
        #expect(try interceptor.text() == "1")
        #expect(text(interceptor.cachedResponse(to: request)) == nil)
        #expect(try interceptor.text() == "2")
        #expect(try interceptor.text() == "3")
        #expect(text(interceptor.cachedResponse(to: request)) == "3")
        #expect(try interceptor.text() == "3")
    }

    @Test func `a known response has the requested URL`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        _ = try interceptor.text("GET", "http://a/#1")
        for url in ["http://a/#1", "http://A/#2", "http://a/#1"] {
            #expect(interceptor.cachedResponse(to: InterceptedRequest(url: url))?.response.url == url)
        }
    }

    @Test func `a client that has a copy of the known response gets a 304`() throws {
        let interceptor = Interceptor(entries: [.entry(headers: [("ETag", "\"x\"")], text: "full")])
        #expect(try interceptor.text() == "full")
        let field = HeaderField(name: "If-None-Match", value: "\"x\"")
        let known = interceptor.cachedResponse(to: InterceptedRequest(url: "http://a/", headers: [field]))
        #expect(known?.response.status == 304)
        #expect(known?.response.body.isEmpty == true)
    }

    @Test func `the response object is created once, and again if it changed or could not be created`() throws {
        let known = CachedResponse(InterceptedResponse(url: "http://a/"))
        #expect(known.form { _ in Int?.none } == nil)
        #expect(known.form { _ in 1 } == 1)
        #expect(known.form { _ in 2 } == 1)
        #expect(known.form { $0.url } == "http://a/")
    }

    @Test func `no request is answered immediately while earlier ones wait`() async throws {
        let interceptor = Interceptor(entries: [.entry()])
        _ = try interceptor.text()
        let request = InterceptedRequest(url: "http://a/")
        let gate = DispatchSemaphore(value: 0)
        interceptor.enqueue { gate.wait() }
        #expect(interceptor.cachedResponse(to: request) == nil)
        gate.signal()
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(interceptor.cachedResponse(to: request) != nil)
    }

    @Test func `the response of a stub is known immediately`() {
        let interceptor = Interceptor.with(.stub("a/**", .text("x")))
        let known = interceptor.cachedResponse(to: InterceptedRequest(url: "http://a/1"))
        #expect(text(known) == "x")
        #expect(known?.response.url == "http://a/1")
        #expect(interceptor.cachedResponse(to: InterceptedRequest(url: "http://b/")) == nil)
    }

    @Test(arguments: [
        [Rule.stub(.where { _ in true }, .text("x"))],
        [.stub(.not(.where { _ in false }), .text("x"))],
        [.stub(.any, .text("x")), .override(.any, .status(201))],
        [.stub(.any, .text("x").delayed(by: .seconds(1)))],
        [.stub(.any, inOrder: .text("x"), .text("y"))],
        [.stub(.any, .failure(.timedOut))],
        [.stub(.any, .text("x")), .passThrough(.host("a"))],
        [.stub(.any) { _ in .text("x") }],
    ])
    func `a response that may be slow, changed or counted is not known`(rules: [Rule]) {
        let interceptor = Interceptor()
        interceptor.add(rules)
        #expect(interceptor.cachedResponse(to: InterceptedRequest(url: "http://a/")) == nil)
    }

    @Test func `responses of the archive are known despite rules for other requests`() throws {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        #expect(try interceptor.text() == "x")
        interceptor.add(.stub("b/**", .text("y")), .override("c/**", .status(201)), .replay(.host("a")))
        #expect(text(interceptor.cachedResponse(to: InterceptedRequest(url: "http://a/"))) == "x")
        interceptor.add(.override(.host("a"), .status(201)))
        #expect(interceptor.cachedResponse(to: InterceptedRequest(url: "http://a/")) == nil)
    }
}
