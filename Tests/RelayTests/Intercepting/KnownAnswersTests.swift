import Foundation
import HTTPArchive
import Synchronization
import Testing

@testable import Relay

/// Answers that are given where a task starts, since nothing has to be read for them.
@Suite struct KnownAnswersTests {
    private func text(_ answer: Answer?) -> String? {
        guard case .response(let response) = answer else { return nil }
        return String(decoding: response.body, as: UTF8.self)
    }

    @Test func `an answer is known once it was given`() {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        let request = InterceptedRequest(url: "http://a/")
        #expect(text(interceptor.answerAtOnce(to: request)) == nil)
        #expect(text(interceptor.answer(to: request)) == "x")
        #expect(text(interceptor.answerAtOnce(to: request)) == "x")
        #expect(text(interceptor.answerAtOnce(to: InterceptedRequest(url: "http://b/"))) == nil)
    }

    @Test func `entries take turns, known or not`() {
        let interceptor = Interceptor(entries: [.entry(text: "1"), .entry(text: "2"), .entry(text: "3")])
        let request = InterceptedRequest(url: "http://a/")
        #expect(text(interceptor.answer(to: request)) == "1")
        #expect(text(interceptor.answerAtOnce(to: request)) == nil)
        #expect(text(interceptor.answer(to: request)) == "2")
        #expect(text(interceptor.answer(to: request)) == "3")
        #expect(text(interceptor.answerAtOnce(to: request)) == "3")
        #expect(text(interceptor.answer(to: request)) == "3")
    }

    @Test func `a known answer has the URL that was asked for`() {
        let interceptor = Interceptor(entries: [.entry(text: "x")])
        _ = interceptor.answer(to: InterceptedRequest(url: "http://a/#1"))
        guard case .response(let response) = interceptor.answerAtOnce(to: InterceptedRequest(url: "http://A/#2")) else {
            Issue.record("The answer is not known.")
            return
        }
        #expect(response.url == "http://A/#2")
    }

    @Test func `a client that has the known answer gets a 304`() {
        let interceptor = Interceptor(entries: [.entry(headers: [("ETag", "\"x\"")], text: "full")])
        #expect(text(interceptor.answer(to: InterceptedRequest(url: "http://a/"))) == "full")
        let field = HeaderField(name: "If-None-Match", value: "\"x\"")
        let answer = interceptor.answerAtOnce(to: InterceptedRequest(url: "http://a/", headers: [field]))
        guard case .response(let response) = answer else {
            Issue.record("The answer is not known.")
            return
        }
        #expect(response.status == 304)
        #expect(response.body.isEmpty)
    }

    @Test func `nothing is answered at once while requests that came before wait`() async {
        let interceptor = Interceptor(name: "test", known: { .response($0.reply()) }, answer: { .response($0.reply()) })
        let request = InterceptedRequest(url: "http://a/")
        let gate = DispatchSemaphore(value: 0)
        interceptor.enqueue { gate.wait() }
        #expect(interceptor.answerAtOnce(to: request) == nil)
        gate.signal()
        await withCheckedContinuation { continuation in interceptor.queue.async { continuation.resume() } }
        #expect(interceptor.answerAtOnce(to: request) != nil)
    }
}
