public import Foundation

/// What several requests have in common: where they go, what carries them, and how JSON is read and written.
///
/// A request takes what it needs when it is made; what is set later counts for later ones.
public class JSONSession {
    /// Where the paths of requests begin; `nil` when that was no URL.
    let baseURL: URL?

    /// Header fields of every request; none by default.
    public var headers: [String: String] = [:]
    /// The value of the field `Authorization`, which is sent unless it is empty, as it is by default.
    public var authToken = ""
    /// What carries the requests; `nil`, the default, stands for `URLSession.shared`.
    public var urlSession: (any NetworkSession)?

    /// How keys are decoded; `nil`, the default of this and the others, leaves it to the coder.
    public var keyDecodingStrategy: JSONDecoder.KeyDecodingStrategy?
    /// How dates are decoded.
    public var dateDecodingStrategy: JSONDecoder.DateDecodingStrategy?
    /// How binary data is decoded.
    public var dataDecodingStrategy: JSONDecoder.DataDecodingStrategy?
    /// How keys are encoded.
    public var keyEncodingStrategy: JSONEncoder.KeyEncodingStrategy?
    /// How dates are encoded.
    public var dateEncodingStrategy: JSONEncoder.DateEncodingStrategy?
    /// How binary data is encoded.
    public var dataEncodingStrategy: JSONEncoder.DataEncodingStrategy?

    /// Creates a session whose requests' paths begin at a URL.
    public init(baseURL: URL) { self.baseURL = baseURL }

    /// Creates a session whose requests' paths begin at a URL; where the text is none, they fail with `invalidURL`.
    public init(baseURL: String) { self.baseURL = URL(string: baseURL) }

    /// Creates a session with all that another one has.
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

    /// Has a decoder and an encoder work by the strategies.
    func configure(_ decoder: JSONDecoder, _ encoder: JSONEncoder) {
        if let keyDecodingStrategy { decoder.keyDecodingStrategy = keyDecodingStrategy }
        if let dateDecodingStrategy { decoder.dateDecodingStrategy = dateDecodingStrategy }
        if let dataDecodingStrategy { decoder.dataDecodingStrategy = dataDecodingStrategy }
        if let keyEncodingStrategy { encoder.keyEncodingStrategy = keyEncodingStrategy }
        if let dateEncodingStrategy { encoder.dateEncodingStrategy = dateEncodingStrategy }
        if let dataEncodingStrategy { encoder.dataEncodingStrategy = dataEncodingStrategy }
    }
}
