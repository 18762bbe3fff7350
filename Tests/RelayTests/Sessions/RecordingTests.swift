import Foundation
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Recording of responses while they are delivered to their callers.
@Suite(.limited) struct RecordingTests {
    private let recorded = RecordedExchanges()

    @Test func `a delegate receives the first bytes while the rest is pending, and does not wait for the recording`()
        async throws
    {
        let gate = DispatchSemaphore(value: 0)
        let recording = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, send in
            send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            gate.wait()
            send("two")
        })
        let interceptor = Interceptor(name: "test", configuration: .patient)
        interceptor.add(
            .recording(.any) { [recorded] in
                recording.wait()
                recorded.append($0)
            })
        let delegate = RecordingDelegate()
        let task = interceptor.session(configuration: .patient, delegate: delegate).dataTask(with: URL(server.url("/")))
        async let end = delegate.run(task)
        try await wait { delegate.log.events.contains("data one") }
        gate.signal()
        #expect(await end == nil)
        #expect(delegate.log.events == ["response 200", "data one", "data two", "end"])
        #expect(recorded.now.isEmpty)
        recording.signal()
        #expect(await recorded.one.body.data == Data("onetwo".utf8))
    }

    @Test func `the original response is recorded, without overrides`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let interceptor = recorded.interceptor(.override(.any, .replacing("live", with: "changed")))
        #expect(try await interceptor.session().text(server.url("/")) == "changed")
        #expect(await recorded.one.body.data == Data("live".utf8))
    }

    @Test func `observers receive recorded exchanges`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let interceptor = recorded.interceptor()
        let exchanges = interceptor.exchanges
        _ = try await interceptor.session().text(server.url("/"))
        interceptor.stop()
        let sources = await exchanges.reduce(into: []) { $0.append($1.source) }
        #expect(sources == [.network])
    }

    @Test func `a canceled request is recorded once, with the received bytes`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, send in
            send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\none")
            gate.wait()
        })
        let delegate = RecordingDelegate()
        let task = recorded.interceptor().session(configuration: .patient, delegate: delegate).dataTask(
            with: URL(server.url("/")))
        async let end = delegate.run(task)
        try await wait { delegate.log.events.contains("data one") }
        task.cancel()
        let error = await end as? URLError
        #expect(error?.code == .cancelled)
        let exchange = await recorded.one
        #expect((exchange.error as? URLError)?.code == .cancelled)
        #expect(exchange.head?.status == 200)
        #expect(exchange.body.data == Data("one".utf8))
        gate.signal()
    }

    @Test func `a request that ends because the interceptor is stopped is recorded with an error`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, _ in gate.wait() })
        let interceptor = recorded.interceptor()
        let call = Task { [session = interceptor.session(configuration: .patient)] in
            try await session.text(server.url("/"))
        }
        try await wait { !server.requests.isEmpty }
        interceptor.stop()
        _ = await #expect(throws: (any Error).self) { try await call.value }
        let exchange = await recorded.one
        #expect(exchange.error != nil)
        #expect(exchange.head == nil)
        gate.signal()
    }

    @Test func `a request that times out is recorded as a timeout`() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try LoopbackServer(inPieces: { _, _ in gate.wait() })
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 1
        let session = recorded.interceptor().session(configuration: configuration)
        _ = await #expect(throws: URLError.self) { try await session.text(server.url("/")) }
        #expect((await recorded.one.error as? URLError)?.code == .timedOut)
        gate.signal()
    }

    @Test func `a request that cannot connect is recorded with its error`() async throws {
        let refusing = try RefusingPort()
        let session = recorded.interceptor().session()
        _ = await #expect(throws: URLError.self) { try await session.text(refusing.url("/")) }
        let exchange = await recorded.one
        #expect(exchange.error != nil)
        #expect(exchange.head == nil)
        #expect(exchange.wire.responseBodySize == nil)
    }

    @Test func `each of a thousand parallel requests is recorded once`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        let session = recorded.interceptor().session()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let text = try await session.text(server.url("/\(number)"))
                    #expect(text == "/\(number)")
                }
            }
            try await group.waitForAll()
        }
        let exchanges = await recorded.first(1000)
        #expect(Set(exchanges.map(\.request.url)).count == 1000)
        for exchange in exchanges {
            #expect(String(decoding: exchange.body.data, as: UTF8.self) == URL(text: exchange.request.url)?.path())
            #expect(exchange.request.headers.values(named: "host").count == 1)
            #expect(exchange.error == nil)
        }
    }

    @Test func `canceling at any time is safe, and no request is recorded twice`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        let session = recorded.interceptor().session(delegate: RecordingDelegate())
        let plain = recorded.interceptor().session()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<400 {
                group.addTask {
                    let session = number.isMultiple(of: 2) ? session : plain
                    let call = Task { try await session.text(server.url("/\(number)")) }
                    for _ in 0..<number % 9 { await Task.yield() }
                    call.cancel()
                    _ = await call.result
                }
            }
        }
        _ = try await plain.text(server.url("/last"))
        try await wait { recorded.now.contains(where: { $0.request.url.hasSuffix("/last") }) }
        let urls = recorded.now.map(\.request.url)
        #expect(Set(urls).count == urls.count)
    }
}
