public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A type that responds to requests.
///
/// An array uses only its first processor.
public protocol RequestProcessor {
    /// Returns the response to a request.
    ///
    /// This method can be called on any thread, and concurrently for several requests.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The error that the request fails with.
    func process(request: URLRequest) async throws -> NetworkResponse
}

extension Array: RequestProcessor where Element == any RequestProcessor {
    /// Returns the response of the first processor.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: Any error from the processor, or ``RecordingAndReplayingRequestProcessorError/missingStrategy`` if the
    ///   array is empty.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let first else { throw RecordingAndReplayingRequestProcessorError.missingStrategy }
        return try await first.process(request: request)
    }
}

/// A type that selects requests.
///
/// An array accepts the requests that all of its filters accept.
public protocol RequestFilter {
    /// Returns whether a request is processed. Other requests are sent to the network.
    ///
    /// - Parameter request: The request.
    /// - Returns: `true` to process the request. This method can be called on any thread, and several times per
    ///   request.
    func shouldProcess(request: URLRequest) -> Bool
}

extension Array: RequestFilter where Element == any RequestFilter {
    /// Returns whether all filters accept a request.
    public func shouldProcess(request: URLRequest) -> Bool { allSatisfy { $0.shouldProcess(request: request) } }
}

/// A type that changes responses before delivery.
///
/// An array applies its modifiers in order.
public protocol ResponseModifier {
    /// Returns a changed response.
    ///
    /// This method can be called on any thread, and concurrently for several responses.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response to deliver.
    /// - Throws: The error that the request fails with.
    func modify(response: NetworkResponse) async throws -> NetworkResponse
}

extension Array: ResponseModifier where Element == any ResponseModifier {
    /// Applies the modifiers in order.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response of the last modifier.
    /// - Throws: Any error from a modifier.
    public func modify(response: NetworkResponse) async throws -> NetworkResponse {
        var response = response
        for modifier in self { response = try await modifier.modify(response: response) }
        return response
    }
}

/// A filter that accepts requests with the schemes `http` and `https`.
public struct HTTPRequestFilter: RequestFilter, Sendable {
    /// Creates the filter.
    public init() {}

    /// Returns whether the URL of a request has one of these schemes, ignoring case.
    public func shouldProcess(request: URLRequest) -> Bool { request.url?.isHTTP ?? false }
}

/// A filter that accepts requests whose URL contains any of several words.
public struct KeywordRequestFilter: RequestFilter, Sendable {
    private let words: [String]

    /// Creates a filter.
    ///
    /// - Parameter urlKeywordsForReplay: The words, which are case-sensitive. Without words, the filter accepts all
    ///   requests with a URL.
    public init(urlKeywordsForReplay: [String]) { words = urlKeywordsForReplay }

    /// Returns whether the URL of a request contains any of the words.
    public func shouldProcess(request: URLRequest) -> Bool {
        guard let url = request.url?.absoluteString else { return false }
        return words.isEmpty || words.contains { url.contains($0) }
    }
}

/// A filter that rejects requests with the header field `X-RelayReplay`, which processors add.
///
/// This filter is not necessary, because requests that processors send are never intercepted again.
public struct ReplayRequestFilter: RequestFilter, Sendable {
    /// Creates the filter.
    public init() {}

    /// Returns whether a request lacks the header field.
    public func shouldProcess(request: URLRequest) -> Bool {
        request.value(forHTTPHeaderField: "X-RelayReplay") == nil
    }
}

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
