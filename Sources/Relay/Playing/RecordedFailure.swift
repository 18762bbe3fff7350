import Foundation
import HTTPArchive

/// What the failure that a tool recorded is to `URLSession`.
enum RecordedFailure {
    /// The error that a live request would have ended with.
    ///
    /// - Parameter text: A failure in the words of Chromium, Firefox, mitmproxy or another tool.
    /// - Returns: The code; that of a lost connection where the text says nothing else.
    static func code(for text: String) -> URLError.Code {
        let text = text.lowercased()
        return table.first { $0.words.contains { text.contains($0) } }?.code ?? .networkConnectionLost
    }

    /// Chromium's names stand in https://source.chromium.org/chromium/chromium/src/+/main:net/base/net_error_list.h.
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
}
