public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A request whose answer is JSON, decoded as one model, or as another one where it failed.
public final class JSONRequest<Model: Decodable, ErrorModel: Decodable & CustomStringConvertible>: Sendable {
    /// Why a request has no model for an answer.
    public typealias RESTRequestError = ResonanceKit.RESTRequestError

    /// What decodes the answers.
    public let decoder = JSONDecoder()
    /// Encodes bodies as the session says.
    public let encoder = JSONEncoder()

    private let method: HTTPMethod
    private let url: URL?
    private let urlSession: any NetworkSession

    /// Header fields; where a name comes again, the later one counts.
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

    /// Creates a request without a session; method, header fields and the session that carries it are its own.
    public convenience init(
        method: HTTPMethod, url: URL, urlSession: any NetworkSession = URLSession.shared,
        headers: [String: String] = [:]
    ) {
        self.init(method, url, nil, urlSession, headers)
    }

    /// Creates a request of a session, with a path relative to its base URL; its own header fields, and what is to carry
    /// it, go before those of the session.
    public convenience init(
        method: HTTPMethod, path: String, session: JSONSession, urlSession: (any NetworkSession)? = nil,
        headers: [String: String] = [:]
    ) {
        let url = session.baseURL.flatMap { URL(string: path, relativeTo: $0) }
        self.init(method, url, session, urlSession, headers)
    }

    /// Creates a request of a session, with a whole URL in place of a path; all else is as with a path.
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
    ///   - command: What is appended to the path; nothing by default.
    ///   - url: The URL in place of the request's own, such as that of the next page; `nil` by default.
    ///   - parameters: Items of the query of a GET; for all other methods the members of a JSON object, the body.
    ///   - body: The body in place of the parameters; `nil` by default.
    /// - Returns: The model; an empty answer counts as `{}`.
    /// - Throws: ``RESTRequestError``, and what the session and decoding throw.
    @discardableResult
    public func perform(
        method: HTTPMethod? = nil, command: String = "", url: URL? = nil, parameters: [String: String] = [:],
        body: Data? = nil
    ) async throws -> sending Model {
        try await perform(request: urlRequest(method, command, url, parameters, body))
    }

    /// Sends a request as it is, and decodes the answer as the other functions do.
    @discardableResult
    public func perform(request: URLRequest) async throws -> sending Model {
        let answer = try await urlSession.loadData(request: request).await()
        // Nobody else has what is decoded here.
        nonisolated(unsafe) let model = try decoder.decode(Model.self, from: json(of: answer))
        return model
    }

    /// Sends the request for code that waits by `.await()`, which throws what goes wrong on the way.
    @discardableResult
    public func perform(
        method: HTTPMethod? = nil, command: String = "", url: URL? = nil, parameters: [String: String] = [:],
        body: Data? = nil
    ) throws -> CoFuture<Model> {
        try perform(request: urlRequest(method, command, url, parameters, body))
    }

    /// Sends a request as it is, for code that waits by `.await()`, which throws what goes wrong on the way.
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
            // Servers read a plus sign in a query as a space.
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

    /// What is to be decoded as the model.
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
