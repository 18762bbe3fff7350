public import Foundation

/// Why a request has no model for an answer.
public enum RESTRequestError: LocalizedError, Sendable {
    /// Base URL and path make no URL.
    case invalidURL
    /// The answer is none that can be used.
    case badResponse
    /// The status says that the request failed, and the body is no error model.
    case unableToDecodeErrorResponse
    /// The parameters cannot be sent.
    case badParameter
    /// The status says that the request failed, and the body why.
    case statusCodeResponse(statusCode: Int, message: String)

    /// What went wrong.
    public var errorDescription: String? {
        switch self {
        case .invalidURL: "The base URL and the path of the request make no URL."
        case .badResponse: "The answer is none that can be used."
        case .unableToDecodeErrorResponse: "The request failed, and its answer cannot be decoded as the error model."
        case .badParameter: "The parameters cannot be sent."
        case .statusCodeResponse(_, let message): message
        }
    }
}
