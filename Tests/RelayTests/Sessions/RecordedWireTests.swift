import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Recorded responses, compared with the responses that a server sent.
@Suite(.limited) struct RecordedWireTests {
    private let recorded = RecordedExchanges()

    private func exchange(_ answer: String, method: String = "GET") async throws -> CapturedExchange {
        let server = try LoopbackServer { _ in answer }
        _ = try? await recorded.interceptor().session().data(for: URLRequest(server.url("/"), method: method))
        return await recorded.one
    }

    private func lines(_ exchange: CapturedExchange) -> [String] {
        exchange.head?.headers.map { "\($0.name): \($0.value)" } ?? []
    }

    @Test func `header fields keep their order, spelling and duplicates`() async throws {
        let fields = [
            "x-b: 2", "Set-Cookie: a=1", "X-A: 1", "set-cookie: b=2; Path=/", "X-Empty: ", "Content-Length: 4",
        ]
        let answer = "HTTP/1.1 202 Taken in\r\n\(fields.joined(separator: "\r\n"))\r\n\r\nbody"
        let exchange = try await exchange(answer)
        #expect(lines(exchange) == fields)
        #expect(exchange.head?.status == 202)
        #expect(exchange.head?.statusText == "Taken in")
        #expect(exchange.wire.httpVersion == "HTTP/1.1")
        #expect(exchange.body.data == Data("body".utf8))
        #expect(exchange.error == nil)
        #expect(exchange.wire.responseHeadersSize == answer.utf8.count - 4)
        #expect(exchange.wire.responseBodySize == 4)
        #expect(exchange.wire.serverIPAddress == "127.0.0.1")
        #expect(Int(exchange.wire.connection ?? "") ?? 0 > 0)
    }

    @Test(arguments: [
        ("HTTP/1.0 200 OK", "HTTP/1.0", "OK"), ("HTTP/1.1 200 ", "HTTP/1.1", ""),
    ])
    func `the status line is recorded unchanged`(line: String, version: String, text: String) async throws {
        let exchange = try await exchange("\(line)\r\nX-L: 1\r\n\r\nup to the end")
        #expect(exchange.wire.httpVersion == version)
        #expect(exchange.head?.statusText == text)
        #expect(exchange.body.data == Data("up to the end".utf8))
        #expect(exchange.error == nil)
    }

    @Test(arguments: [
        ("HTTP/1.1 204 No Content\r\nX-L: 1\r\n\r\n", "GET", 204),
        ("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\nContent-Length: 9\r\n\r\n", "GET", 304),
        ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", "HEAD", 200),
    ])
    func `responses without a body are complete`(answer: String, method: String, status: Int) async throws {
        let exchange = try await exchange(answer, method: method)
        #expect(exchange.head?.status == status)
        #expect(exchange.body.count == 0)
        #expect(exchange.wire.responseBodySize == 0)
        #expect(exchange.error == nil)
        #expect(exchange.wire.responseHeadersSize == answer.utf8.count)
    }

    @Test func `informational responses are not recorded`() async throws {
        let early = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let exchange = try await exchange("\(early)HTTP/1.1 201 Made\r\nContent-Length: 2\r\n\r\nok")
        #expect(lines(exchange) == ["Content-Length: 2"])
        #expect(exchange.head?.status == 201)
        #expect(exchange.error == nil)
    }

    @Test func `folded lines and bytes that are not ASCII are parsed`() async throws {
        let exchange = try await exchange(
            "HTTP/1.1 200 OK\r\nX-Folded: one\r\n  two\r\n\tthree\r\nX-Name: Åsa\r\nContent-Length: 0\r\n\r\n")
        #expect(lines(exchange) == ["X-Folded: one two three", "X-Name: Åsa", "Content-Length: 0"])
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\npart",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\npart\r\n",
    ])
    func `a truncated response is recorded as a failure, with the received bytes`(answer: String) async throws {
        let exchange = try await exchange(answer)
        #expect(exchange.error != nil)
        #expect(exchange.head?.status == 200)
        #expect(exchange.body.data == Data("part".utf8))
    }

    @Test func `a connection closed without a response is recorded as a failure`() async throws {
        let exchange = try await exchange("")
        #expect(exchange.error != nil)
        #expect(exchange.head == nil)
        #expect(exchange.request.headers.values(named: "host").count == 1)
    }

    @Test func `a chunked body is recorded without its framing`() async throws {
        let exchange = try await exchange(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n")
        #expect(exchange.body.data == Data("abcde".utf8))
        #expect(exchange.wire.responseBodySize == 5)
        #expect(lines(exchange) == ["Transfer-Encoding: chunked"])
        #expect(exchange.error == nil)
    }

    @Test func `the duration of each phase is recorded`() async throws {
        let exchange = try await exchange(LoopbackServer.ok("live"))
        let timings = exchange.timings
        #expect(timings.blocked ?? -1 >= 0)
        #expect(timings.dns ?? -1 >= 0)
        #expect(timings.connect ?? -1 >= 0)
        #expect(timings.ssl == nil)
        #expect(timings.send ?? -1 >= 0 && timings.wait ?? -1 >= 0 && timings.receive ?? -1 >= 0)
    }
}
