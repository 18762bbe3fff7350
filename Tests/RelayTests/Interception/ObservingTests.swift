import Foundation
import HTTPArchive
import Logging
import Relay
import RelayLogging
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ObservingTests {
    @Test func `observers receive every exchange and the source of its response`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        let interceptor = Interceptor(entries: [
            .entry("GET", "http://a/0"), .entry("GET", "http://a/1", text: "12345"),
        ])
        interceptor.add(
            .stub("a/stub", .text("stub")), .stub("a/error", .failure(.timedOut)), .passThrough(.host("127.0.0.1")),
            .stub("a/moved", .redirect(to: "/1")))
        let exchanges = interceptor.exchanges
        let session = interceptor.session()
        for url in [
            "http://a/1", "http://a/stub", "http://a/error", "http://a/none", server.url("/"), "http://a/moved",
        ] {
            _ = try? await session.text(url)
        }
        interceptor.stop()
        let seen = await exchanges.reduce(into: []) { $0.append($1) }
        let archive = ObservedExchange.Source.archive(name: "entries in memory", entry: 1)
        #expect(
            seen.map(\.source) == [
                archive, .stub("a/stub"), .stub("a/error"), .nothing, .network, .stub("a/moved"), archive,
            ])
        #expect(seen.map { try? $0.result.get() } == [200, 200, nil, nil, 200, 302, 200])
        #expect(seen.map(\.bodySize) == [5, 4, 0, 0, 4, 0, 5])
        #expect(seen.map(\.request.url).prefix(2) == ["http://a/1", "http://a/stub"])
        #expect(seen.allSatisfy { $0.duration > .zero })
    }

    @Test func `each observer receives all exchanges after it starts observing`() async throws {
        let interceptor = Interceptor.saying("x")
        let session = interceptor.session()
        let first = interceptor.exchanges
        _ = try await session.text("http://a/1")
        let second = interceptor.exchanges
        _ = try await session.text("http://a/2")
        interceptor.stop()
        #expect(await first.reduce(into: 0) { count, _ in count += 1 } == 2)
        #expect(await second.reduce(into: []) { $0.append($1.request.url) } == ["http://a/2"])
    }

    @Test func `the stream of a stopped interceptor ends immediately`() async {
        let interceptor = Interceptor.saying("x")
        interceptor.stop()
        #expect(await interceptor.exchanges.reduce(into: 0) { count, _ in count += 1 } == 0)
    }

    @Test func `the log line of an exchange contains no secrets`() async throws {
        let interceptor = Interceptor.saying("x")
        let exchanges = interceptor.exchanges
        _ = try await interceptor.session().text("http://me:word@a/?access_token=secret&page=1")
        for await exchange in exchanges {
            let line = exchange.description
            #expect(line.contains("GET http://") && line.contains("page=1") && line.contains("200, 1 byte"))
            #expect(!line.contains("secret") && !line.contains("word"))
            break
        }
    }

    @Test func `exchanges are logged if a logger is set`() async throws {
        let lines = Log<String>()
        var configuration = Interceptor.Configuration()
        configuration.logger = Logger(label: "test") { _ in NotingHandler(lines: lines) }
        let interceptor = Interceptor(configuration: configuration)
        interceptor.add(.stub("a/b", .text("x")))
        let session = interceptor.session()
        _ = try await session.text(URLRequest("http://a/b", headers: ["Authorization": "Bearer secret"]))
        _ = try? await session.text("http://a/none")
        let text = lines.events.joined(separator: "\n")
        #expect(lines.events.count == 4)
        #expect(lines.events.first?.hasPrefix("debug GET http://a/b → 200, 1 byte from a stub for a/b") == true)
        #expect(lines.events.dropFirst(2).first?.hasPrefix("warning GET http://a/none → ") == true)
        #expect(text.contains("trace curl") && !text.contains("secret"))
    }
}
