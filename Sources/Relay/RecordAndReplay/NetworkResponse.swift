public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A response with its body.
public struct NetworkResponse: Sendable {
    /// The requested URL.
    public let url: URL

    /// The head of the response.
    public let httpURLResponse: HTTPURLResponse

    /// The decoded body of the response.
    public let responseData: Data

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - url: The requested URL.
    ///   - httpURLResponse: The head of the response.
    ///   - responseData: The decoded body of the response.
    public init(url: URL, httpURLResponse: HTTPURLResponse, responseData: Data) {
        self.url = url
        self.httpURLResponse = httpURLResponse
        self.responseData = responseData
    }

    /// Sends a request in a session and creates a response from the result, optionally with an additional header field.
    init(to request: URLRequest, from session: URLSession, adding field: HeaderField? = nil) async throws {
        let (data, response) = try await session.data(for: request)
        guard let url = request.url, let head = response as? HTTPURLResponse else {
            throw LiveRequestPerformerError.invalidResponse(request)
        }
        var answer = InterceptedResponse(head, url: url.absoluteString, body: data)
        if let field { answer.headers.append(field) }
        try self.init(answer, url: url)
    }

    /// Creates a network response from an intercepted response.
    init(_ response: InterceptedResponse, url: URL) throws {
        guard let head = response.httpURLResponse(requestedFrom: url, allowingAnyStatus: true) else {
            throw URLError(.badServerResponse)
        }
        self.init(url: url, httpURLResponse: head, responseData: response.body)
    }

    /// The response in the form that interceptors use.
    var intercepted: InterceptedResponse {
        InterceptedResponse(httpURLResponse, url: url.absoluteString, body: responseData)
    }
}
