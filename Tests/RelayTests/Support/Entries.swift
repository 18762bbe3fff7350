import Foundation
import HTTPArchive
import Relay

@testable import RelayCore
@testable import RelayURLSession

extension HAR.Entry {
    /// Creates an entry from the parts of its request and response that a test sets.
    static func entry(
        _ method: String = "GET", _ url: String = "http://a/", request: [(String, String)] = [], status: Int = 200,
        headers: [(String, String)] = [], text: String? = "", body: HAR.Content? = nil
    ) -> HAR.Entry {
        let content = body ?? HAR.Content(size: text?.utf8.count ?? 7, mimeType: "text/plain", text: text)
        return HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: method, url: url, headers: request.map { HAR.Header(name: $0, value: $1) }),
            response: HAR.Response(
                status: status, statusText: "S", headers: headers.map { HAR.Header(name: $0, value: $1) },
                content: content))
    }
}

extension Interceptor {
    /// Returns the response to a request without using a session, or throws its error.
    func response(
        _ method: String = "GET", _ url: String = "http://a/", headers: [(String, String)] = []
    ) throws -> InterceptedResponse {
        let request = InterceptedRequest(
            method: method, url: url, headers: headers.map { HeaderField(name: $0, value: $1) })
        return try response(to: request)
    }

    /// Returns the response to a request without using a session, or throws its error.
    func response(to request: InterceptedRequest) throws -> InterceptedResponse {
        guard let reply = decide(on: request).decision.immediateReply else { throw CancellationError() }
        if let breakOff = reply.breakOff { throw breakOff }
        return try reply.result.get()
    }

    /// Returns the response body of a request as text.
    func text(
        _ method: String = "GET", _ url: String = "http://a/", headers: [(String, String)] = []
    ) throws -> String {
        String(decoding: try response(method, url, headers: headers).body, as: UTF8.self)
    }
}
