public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request whose JSON response is decoded as a model, or as an error model if the request failed.
public final class JSONRequest<Model: Decodable, ErrorModel: Decodable & CustomStringConvertible>: Sendable {
    /// The reason why a request did not return a model.
    public typealias RESTRequestError = ResonanceKit.RESTRequestError

    /// The decoder of responses.
    public let decoder = JSONDecoder()
    /// The encoder of bodies, configured by the session.
    public let encoder = JSONEncoder()

    private let method: HTTPMethod
    private let url: URL?
    private let urlSession: any NetworkSession

    /// The header fields.
    ///
    /// For duplicate names, the last value is used.
    private let headers: [(String, String)]

    private init(
        _ method: HTTPMethod, _ url: URL?, _ session: JSONSession?, _ urlSession: (any NetworkSession)?,
        _ headers: [String: String]
    ) {
        self.method = method
        self.url = url
        self.urlSession = urlSession ?? session?.urlSession ?? URLSession.shared
        let token = session.map(\.authToken).flatMap { $0.isEmpty ? nil : ("Authorization", $0) }
        let fields = [("Content-Type", "application/json"), ("Accept", "*/*")] + Array(session?.headers ?? [:])
        self.headers = fields + (token.map { [$0] } ?? []) + Array(headers)
        session?.configure(decoder, encoder)
    }

    /// Creates a request without a session, with its own method, header fields, and network session.
    public convenience init(
        method: HTTPMethod, url: URL, urlSession: any NetworkSession = URLSession.shared,
        headers: [String: String] = [:]
    ) {
        self.init(method, url, nil, urlSession, headers)
    }

    /// Creates a request with the settings of a session, and with a path relative to the session's base URL.
    ///
    /// The given header fields and network session take precedence over the session's.
    public convenience init(
        method: HTTPMethod, path: String, session: JSONSession, urlSession: (any NetworkSession)? = nil,
        headers: [String: String] = [:]
    ) {
        let url = session.baseURL.flatMap { URL(string: path, relativeTo: $0) }
        self.init(method, url, session, urlSession, headers)
    }

    /// Creates a request with the settings of a session, and with a complete URL instead of a path.
    public convenience init(
        method: HTTPMethod, url: URL, session: JSONSession, urlSession: (any NetworkSession)? = nil,
        headers: [String: String] = [:]
    ) {
        self.init(method, url, session, urlSession, headers)
    }

    /// Sends the request.
    ///
    /// - Parameters:
    ///   - method: The method; the request's own by default.
    ///   - command: The string to append to the path; empty by default.
    ///   - url: The URL to use instead of the request's own, such as the URL of the next page; `nil` by default.
    ///   - parameters: The query items of a GET request. For other methods, the members of the JSON body.
    ///   - body: The body to use instead of the parameters; `nil` by default.
    /// - Returns: The model. An empty response is decoded as `{}`.
    /// - Throws: ``RESTRequestError``, or any error from the session or from decoding.
    @discardableResult
    public func perform(
        method: HTTPMethod? = nil, command: String = "", url: URL? = nil, parameters: [String: String] = [:],
        body: Data? = nil
    ) async throws -> sending Model {
        try await perform(request: urlRequest(method, command, url, parameters, body))
    }

    /// Sends a request unchanged, and decodes the response like the other functions.
    @discardableResult
    public func perform(request: URLRequest) async throws -> sending Model {
        let answer = try await urlSession.loadData(request: request).await()
        // The decoded model is not shared: this function has the only reference to it.
        nonisolated(unsafe) let model = try decoder.decode(Model.self, from: json(of: answer))
        return model
    }

    /// Sends the request and returns a future for the model.
    ///
    /// Waiting with `.await()` throws all later errors.
    @discardableResult
    public func perform(
        method: HTTPMethod? = nil, command: String = "", url: URL? = nil, parameters: [String: String] = [:],
        body: Data? = nil
    ) throws -> CoFuture<Model> {
        try perform(request: urlRequest(method, command, url, parameters, body))
    }

    /// Sends a request unchanged and returns a future for the model.
    ///
    /// Waiting with `.await()` throws all later errors.
    @discardableResult
    public func perform(request: URLRequest) throws -> CoFuture<Model> {
        try urlSession.loadData(request: request).then { answer in
            try self.decoder.decode(Model.self, from: self.json(of: answer.get()))
        }
    }

    private func urlRequest(
        _ method: HTTPMethod?, _ command: String, _ url: URL?, _ parameters: [String: String], _ body: Data?
    ) throws -> URLRequest {
        let method = method ?? self.method
        guard let url = url ?? self.url, var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else {
            throw RESTRequestError.invalidURL
        }
        components.path += command
        if method == .get, !parameters.isEmpty {
            var own = URLComponents()
            own.queryItems = parameters.sorted { $0.key < $1.key }.map { URLQueryItem(name: $0, value: $1) }
            // Servers decode a plus sign in a query as a space.
            let queries = [components.percentEncodedQuery, own.percentEncodedQuery?.replacing("+", with: "%2B")]
            components.percentEncodedQuery = queries.compactMap(\.self).joined(separator: "&")
        }
        guard let url = components.url else { throw RESTRequestError.invalidURL }
        var request = URLRequest(url: url)
        request.httpMethod = method.rawValue
        request.httpBody = body
        if body == nil, method != .get {
            request.httpBody = try JSONSerialization.data(withJSONObject: parameters, options: .sortedKeys)
        }
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Returns the JSON to decode as the model, or throws an error if the request failed.
    private func json(of answer: (data: Data, response: URLResponse)) throws -> Data {
        guard let response = answer.response as? HTTPURLResponse else { throw RESTRequestError.badResponse }
        let data = answer.data.isEmpty ? Data("{}".utf8) : answer.data
        if 200...299 ~= response.statusCode { return data }
        guard let error = try? decoder.decode(ErrorModel.self, from: data) else {
            throw RESTRequestError.unableToDecodeErrorResponse
        }
        throw RESTRequestError.statusCodeResponse(statusCode: response.statusCode, message: error.description)
    }
}

/// The method of a request.
public enum HTTPMethod: String, Sendable {
    /// Creates a resource or starts an operation.
    case post = "POST"
    /// Retrieves a resource.
    case get = "GET"
    /// Replaces a resource.
    case put = "PUT"
    /// Deletes a resource.
    case delete = "DELETE"
    /// Changes part of a resource.
    case patch = "PATCH"
    /// Retrieves only the head of a response.
    case head = "HEAD"
}

/// The reason why a request did not return a model.
public enum RESTRequestError: LocalizedError, Sendable {
    /// The base URL and the path do not form a valid URL.
    case invalidURL
    /// The response is not an HTTP response, or its status indicates a failure.
    case badResponse
    /// The status indicates a failure, and the body cannot be decoded as the error model.
    case unableToDecodeErrorResponse
    /// The parameters cannot be encoded.
    case badParameter
    /// The status indicates a failure, and the body contains the message.
    case statusCodeResponse(statusCode: Int, message: String)

    /// A description of the error.
    public var errorDescription: String? {
        switch self {
        case .invalidURL: "The base URL and the path of the request do not form a valid URL."
        case .badResponse: "The response is not an HTTP response, or its status indicates a failure."
        case .unableToDecodeErrorResponse: "The request failed, and its response cannot be decoded as the error model."
        case .badParameter: "The parameters cannot be encoded."
        case .statusCodeResponse(_, let message): message
        }
    }
}

/// The settings that several requests share: base URL, header fields, network session, and JSON coding strategies.
///
/// A request copies the settings when it is created. Later changes affect only later requests.
public class JSONSession {
    /// The URL that request paths are relative to; `nil` if it is invalid.
    let baseURL: URL?

    /// The header fields of every request; none by default.
    public var headers: [String: String] = [:]
    /// The value of the header field `Authorization`; empty by default, which omits the field.
    public var authToken = ""
    /// The session that sends the requests, or `nil` (the default) for `URLSession.shared`.
    public var urlSession: (any NetworkSession)?

    /// The decoding strategy for keys.
    ///
    /// If this or another strategy is `nil` (the default), the coder's own default applies.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy?
    /// The decoding strategy for dates.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy?
    /// The decoding strategy for binary data.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy?
    /// The encoding strategy for keys.
    public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy?
    /// The encoding strategy for dates.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy?
    /// The encoding strategy for binary data.
    public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy?

    /// Creates a session with a base URL.
    public init(baseURL: URL) { self.baseURL = baseURL }

    /// Creates a session with a base URL.
    ///
    /// If the URL is invalid, all requests fail with `invalidURL`.
    public init(baseURL: String) { self.baseURL = URL(string: baseURL) }

    /// Creates a copy of a session.
    public init(session: JSONSession) {
        baseURL = session.baseURL
        headers = session.headers
        authToken = session.authToken
        urlSession = session.urlSession
        keyDecodingStrategy = session.keyDecodingStrategy
        dateDecodingStrategy = session.dateDecodingStrategy
        dataDecodingStrategy = session.dataDecodingStrategy
        keyEncodingStrategy = session.keyEncodingStrategy
        dateEncodingStrategy = session.dateEncodingStrategy
        dataEncodingStrategy = session.dataEncodingStrategy
    }

    /// Applies the strategies to a decoder and an encoder.
    func configure(_ decoder: JSONDecoder, _ encoder: JSONEncoder) {
        if let keyDecodingStrategy { decoder.keyDecodingStrategy = keyDecodingStrategy }
        if let dateDecodingStrategy { decoder.dateDecodingStrategy = dateDecodingStrategy }
        if let dataDecodingStrategy { decoder.dataDecodingStrategy = dataDecodingStrategy }
        if let keyEncodingStrategy { encoder.keyEncodingStrategy = keyEncodingStrategy }
        if let dateEncodingStrategy { encoder.dateEncodingStrategy = dateEncodingStrategy }
        if let dataEncodingStrategy { encoder.dataEncodingStrategy = dataEncodingStrategy }
    }
}
