import Foundation

/// Conversions between `URLSession` errors and the error messages in archives.
enum RecordedFailure {
    /// The name of the field for the `URLError` code.
    ///
    /// Chromium's error names in `_error` do not identify the code exactly.
    static let codeField = "_urlErrorCode"

    /// Returns the `URLError` code of an error, or `nil` if the error has no such code.
    static func code(of error: any Error) -> URLError.Code? {
        if error is CancellationError { return .cancelled }
        return (error as? URLError)?.code
    }

    /// Returns Chromium's name for an error.
    ///
    /// The name contains no data from the exchange.
    static func text(for error: any Error) -> String {
        "net::ERR_" + (code(of: error).flatMap { names[$0] } ?? "FAILED")
    }

    private static let names: [URLError.Code: String] = [
        .badServerResponse: "INVALID_RESPONSE", .badURL: "INVALID_URL", .cancelled: "ABORTED",
        .cannotConnectToHost: "CONNECTION_REFUSED", .cannotDecodeContentData: "CONTENT_DECODING_FAILED",
        .cannotDecodeRawData: "CONTENT_DECODING_FAILED", .cannotFindHost: "NAME_NOT_RESOLVED",
        .cannotParseResponse: "INVALID_HTTP_RESPONSE", .clientCertificateRequired: "SSL_CLIENT_AUTH_CERT_NEEDED",
        .dnsLookupFailed: "DNS_SERVER_FAILED", .httpTooManyRedirects: "TOO_MANY_REDIRECTS",
        .networkConnectionLost: "CONNECTION_RESET", .notConnectedToInternet: "INTERNET_DISCONNECTED",
        .secureConnectionFailed: "SSL_PROTOCOL_ERROR", .serverCertificateHasBadDate: "CERT_DATE_INVALID",
        .serverCertificateHasUnknownRoot: "CERT_AUTHORITY_INVALID",
        .serverCertificateNotYetValid: "CERT_DATE_INVALID", .serverCertificateUntrusted: "CERT_AUTHORITY_INVALID",
        .timedOut: "TIMED_OUT", .unsupportedURL: "UNKNOWN_URL_SCHEME",
    ]

    /// Returns the `URLError` code that matches a recorded error message.
    ///
    /// - Parameter text: An error message of Chromium, Firefox, mitmproxy or another tool.
    /// - Returns: The code, or `networkConnectionLost` if the message is unknown.
    static func code(for text: String) -> URLError.Code {
        let text = text.lowercased()
        return table.first { $0.words.contains { text.contains($0) } }?.code ?? .networkConnectionLost
    }

    /// The error codes for words in the error messages of tools.
    ///
    /// Source for Chromium's names:
    /// https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h.
    private static let table: [(words: [String], code: URLError.Code)] = [
        (["name_not_resolved", "unknown_host", "name or service not known", "enotfound"], .cannotFindHost),
        (["dns"], .dnsLookupFailed),
        (["internet_disconnected", "offline", "network_changed"], .notConnectedToInternet),
        (["timed_out", "timedout", "timeout", "timed out"], .timedOut),
        (
            [
                "connection_refused", "connection refused", "connect call failed", "econnrefused",
                "address_unreachable",
                "connection_failed", "unreachable",
            ], .cannotConnectToHost
        ),
        (["cert_date", "certificate has expired"], .serverCertificateHasBadDate),
        (["cert_authority", "cert_common_name", "cert_", "certificate"], .serverCertificateUntrusted),
        (["ssl", "tls", "handshake"], .secureConnectionFailed),
        (["too_many_redirects", "redirect_loop"], .httpTooManyRedirects),
        (["aborted", "cancel", "binding_aborted"], .cancelled),
        (["blocked", "access_denied"], .noPermissionsToReadFile),
        (["invalid_url", "unknown_url_scheme", "disallowed_url"], .unsupportedURL),
        (["content_decoding", "invalid_chunked"], .cannotDecodeRawData),
        (
            ["invalid_response", "empty_response", "invalid_http", "http2_protocol", "quic_protocol"],
            .badServerResponse
        ),
    ]

    /// Returns the `URLError` that matches a recorded error message.
    ///
    /// - Parameters:
    ///   - text: The error message recorded by a tool.
    ///   - number: The recorded error code, or `nil` to derive it from the message.
    ///   - url: The URL of the request.
    /// - Returns: The error, with the message in its description.
    static func error(_ text: String, code number: Int? = nil, url: String) -> URLError {
        let code = number.flatMap { URLError.Code(rawValue: $0) } ?? code(for: text)
        return URLError(code, userInfo: [NSLocalizedDescriptionKey: "Recorded failure: \(text)"]).failing(at: url)
    }
}
