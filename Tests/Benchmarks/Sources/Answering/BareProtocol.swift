import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A URL protocol with the same response for every request, which is the floor for sessions.
final class BareProtocol: URLProtocol {
    /// A JSON object of 1,000 bytes.
    static let text = #"{"id":47110,"token":"expired","note":"\#(String(repeating: "0123456789", count: 96))"}"#
    static let body = Data(text.utf8)
    static let headers = ["Content-Type": "application/json"]

    override class func canInit(with request: URLRequest) -> Bool { true }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: Self.headers)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
        client?.urlProtocol(self, didLoad: Self.body)
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}
}

extension URLSession {
    /// A session that the library does not intercept.
    static var plain: URLSession { URLSession(configuration: .plain) }

    /// A session that uses the bare protocol.
    static var bare: URLSession {
        let configuration = URLSessionConfiguration.plain
        configuration.protocolClasses = [BareProtocol.self]
        return URLSession(configuration: configuration)
    }
}

extension URLSessionConfiguration {
    /// A configuration without a cache, because a cache with files is searched for every request.
    static var plain: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        return configuration
    }
}

extension HAR.Entry {
    /// Returns an entry with the same response as the bare protocol.
    static func bare(_ url: URL) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-03-01T09:00:00Z", request: HAR.Request(url: url.absoluteString),
            response: HAR.Response(
                status: 200, headers: BareProtocol.headers.map { HAR.Header(name: $0, value: $1) },
                content: HAR.Content(
                    size: BareProtocol.body.count, mimeType: "application/json", text: BareProtocol.text)))
    }
}
