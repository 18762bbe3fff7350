import RelayCore
import RelayURLSession
public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// The answer to a request, with its body.
public struct NetworkResponse: Sendable {
    /// The URL that was asked.
    public let url: URL

    /// The answer's head.
    public let httpURLResponse: HTTPURLResponse

    /// The answer's body, decoded.
    public let responseData: Data

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - url: The URL that was asked.
    ///   - httpURLResponse: The answer's head.
    ///   - responseData: The answer's body, decoded.
    public init(url: URL, httpURLResponse: HTTPURLResponse, responseData: Data) {
        self.url = url
        self.httpURLResponse = httpURLResponse
        self.responseData = responseData
    }

    /// Creates the answer that a session gives to a request, in which a header field may be added.
    init(to request: URLRequest, from session: URLSession, adding field: HeaderField? = nil) async throws {
        let (data, response) = try await session.data(for: request)
        guard let url = request.url, let head = response as? HTTPURLResponse else {
            throw URLError(.badServerResponse)
        }
        var answer = InterceptedResponse(head, url: url.absoluteString, body: data)
        if let field { answer.headers.append(field) }
        try self.init(answer, url: url)
    }

    /// Creates an answer of one that an interceptor has.
    init(_ response: InterceptedResponse, url: URL) throws {
        guard let head = response.httpURLResponse(requestedFrom: url) else { throw URLError(.badServerResponse) }
        self.init(url: url, httpURLResponse: head, responseData: response.body)
    }

    /// The answer as an interceptor has it.
    var intercepted: InterceptedResponse {
        InterceptedResponse(httpURLResponse, url: url.absoluteString, body: responseData)
    }
}
