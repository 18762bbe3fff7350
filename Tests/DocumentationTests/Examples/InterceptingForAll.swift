import Foundation
import Innernet

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples in Docs/Migration/Innernet.md, for users of Innernet.
func interceptForAll(in config: URLSessionConfiguration, data: Data) {
    URLProtocol.registerClass(Innernet.InterceptProtocol.self)  // URLSession.shared
    config.protocolClasses = [Innernet.InterceptProtocol.self]  // any other session

    Innernet.intercept(.get, matching: "somefakedomain.com/items/*/info") { request, completion in
        completion(.mock(status: 200, data: data, headers: nil, httpVersion: nil))
    }
}

func interceptAsynchronously(load: @escaping @Sendable (URLRequest) async throws -> Data) throws {
    Innernet.intercept(.get, matching: "somefakedomain.com/items/*") { request in
        .mock(status: 200, data: try await load(request), headers: nil)
    }

    try Innernet.reroute("yourserver.com/foo", to: "http://localhost:8000/foo")
    Innernet.allowsConcurrentHandlers = true
}
