public import Foundation

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
