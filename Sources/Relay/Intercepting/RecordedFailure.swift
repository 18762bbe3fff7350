import Foundation
import HTTPArchive

/// Why an entry holds no answer: the failure that the tool recorded.
enum RecordedFailure {
    /// The text of a recorded failure.
    ///
    /// - Returns: `nil` for an entry whose request was answered.
    static func text(of entry: HAR.Entry) -> String? {
        let response = entry.response
        let fields = [response["_error"], entry["_error"], response["_failureText"]]
        let text = fields.lazy.compactMap { $0?.text }.first { !$0.isEmpty }
        // Browsers call a navigation aborted that 204 answered: nothing of the answer is missing.
        if [204, 205, 304].contains(response.status) { return nil }
        return text ?? (response.status <= 0 ? "status \(response.status)" : nil)
    }

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
