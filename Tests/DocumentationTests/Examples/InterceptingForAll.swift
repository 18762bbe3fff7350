import Foundation
import Innernet

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The examples for users of Innernet, in Docs/Migration/Innernet.md.
func interceptForAll(in config: URLSessionConfiguration, data: Data) {
    URLProtocol.registerClass(Innernet.InterceptProtocol.self)  // URLSession.shared
    config.protocolClasses = [Innernet.InterceptProtocol.self]  // any other session

    Innernet.intercept(.get, matching: "somefakedomain.com/items/*/info") { request, completion in
        completion(.mock(status: 200, data: data, headers: nil, httpVersion: nil))
    }
}
