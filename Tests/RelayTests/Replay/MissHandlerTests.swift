import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct MissHandlerTests {
    @TaskLocal private static var place = "nowhere"

    @Test
    func `the miss handler runs before the request ends, with the task locals of the interceptor's creator`()
        async
    {
        let log = Log<String>()
        var configuration = Interceptor.Configuration.patient
        configuration.missHandler = { request, error in
            log.append("\(request.method) \(request.url) \(error.code) \(Self.place)")
        }
        let session = Self.$place.withValue("here") {
            Interceptor(entries: [], configuration: configuration).session()
        }
        let error = await #expect(throws: RelayError.self) { try await session.data(from: URL("http://a/1")) }
        log.append("ended")
        #expect(error?.code == .noMatchingEntry)
        #expect(log.events == ["GET http://a/1 noMatchingEntry here", "ended"])
    }

    @Test func `a request with a response is not a miss`() async throws {
        let log = Log<String>()
        var configuration = Interceptor.Configuration.patient
        configuration.missHandler = { request, _ in log.append(request.url) }
        let interceptor = Interceptor(configuration: configuration)
        interceptor.add(.stub("a/1", .text("one")), .fail("a/2"))
        let session = interceptor.session()
        #expect(try await session.text("http://a/1") == "one")
        _ = try? await session.text("http://a/2")
        #expect(log.events == ["http://a/2"])
    }
}
