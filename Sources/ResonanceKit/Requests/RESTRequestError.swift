public import Foundation

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
