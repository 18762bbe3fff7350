import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The name of a file for a request: a short form of its URL, and a hash of the sent data.
///
/// Secrets are redacted first, because a hash of a short secret can be reversed. Requests that differ only in secrets
/// have the same name.
struct RequestFileName {
    /// The name without an extension.
    let text: String

    /// Creates the name for a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - folder: The name of the folder, which is part of the hashed data.
    init(of request: URLRequest, in folder: String) {
        guard let url = request.url.map(Self.redacted) else {
            text = "UNKNOWN_UNKNOWN_UNKNOWN"
            return
        }
        let parts = URLComponents(url: url, resolvingAgainstBaseURL: false)
        let names = [request.httpMethod ?? "UNKNOWN", Self.domain(of: url.host ?? "unknown_domain")]
        let segments = (parts?.path ?? "").split(separator: "/").map { segment in
            segment.contains("(") && segment.contains(")") ? "ARRAY_OF_ITEMS" : Self.shortened(segment, beyond: 20)
        }
        let items = (parts?.queryItems ?? []).sorted { $0.name < $1.name }.prefix(3)
            .compactMap { item in item.value.map { "\(item.name)=\(Self.shortened($0, beyond: 15))" } }
            .joined(separator: "_")
        let name = (names + segments + [items].filter { !$0.isEmpty }).joined(separator: "-")
        text = name.replacingOccurrences(of: "/", with: "_") + "_" + Self.hash(of: request, to: url, in: folder)
    }

    private static let redactor = try? HARRedactor(masking: .standard)

    private static func redacted(_ url: URL) -> URL {
        let text = redactor?.redacted(url: url.absoluteString) ?? ""
        return text == url.absoluteString ? url : URL(string: text) ?? url
    }

    private static func domain(of host: String) -> String {
        let host = host.replacingOccurrences(of: "www.", with: "").replacingOccurrences(of: ":", with: "")
        return host.split(separator: ".").suffix(2).joined(separator: ".")
    }

    private static func shortened(_ text: some StringProtocol, beyond length: Int) -> String {
        text.count > length ? text.prefix(5) + ".." : String(text)
    }

    private static func hash(of request: URLRequest, to url: URL, in folder: String) -> String {
        let fields = request.allHTTPHeaderFields ?? [:]
        let headers = fields.sorted { $0.key < $1.key }
            .map { "\($0.key):\(redactor?.redacted(header: $0.value, named: $0.key) ?? $0.value)" }
            .joined(separator: "&")
        let type = fields.first { $0.key.lowercased() == "content-type" }?.value
        let data = request.httpBody.map { redactor?.redacted(body: $0, mediaType: type) ?? $0 }
        let body = data.flatMap { String(data: $0, encoding: .utf8) } ?? ""
        let text = "\(folder)\(headers)\(body)\(url.absoluteString)"
        return Hexadecimal.text(HashAlgorithm.sha256.hash(of: Array(text.utf8)).prefix(8))
    }
}
