import Foundation
import HTTPArchive

/// The requests as a load test for k6 (https://grafana.com/docs/k6/latest/javascript-api/), each with a check of its
/// status.
struct K6Exporter: ArchiveExporter {
    static let name = "k6"

    /// What k6 makes itself.
    private static let ownFields: Set = ["content-length", "host", "connection", "transfer-encoding"]

    init(title: String) {}

    var beginning: String {
        """
        import http from "k6/http";
        import encoding from "k6/encoding";
        import { check } from "k6";

        export const options = { vus: 1, iterations: 1 };

        export default function () {
          let response;

        """
    }

    var end: String { "}\n" }

    func text(of exported: ExportedEntry) -> String? {
        guard exported.reasonNotToAsk == nil, let body = exported.requestBody else { return nil }
        let request = exported.entry.request
        // Redirects are requests of their own in an archive.
        let parameters: JSONValue = ["headers": .object(Self.headers(request.headers)), "redirects": 0]
        let words = [Self.literal(request.method), Self.literal(request.url), Self.body(body), Self.text(parameters)]
        var text = "\n  response = http.request(\(words.joined(separator: ", ")));\n"
        let status = exported.entry.response.status
        if (100...599).contains(status) {
            let name = Self.literal("\(exported.index): \(request.method) \(request.url): \(status)")
            text += "  check(response, { \(name): (answer) => answer.status === \(status) });\n"
        }
        return text
    }

    /// The fields with one value for a name, as k6 has them.
    private static func headers(_ headers: [HAR.Header]) -> JSONObject {
        var object: JSONObject = [:]
        for header in headers where !header.name.hasPrefix(":") && !ownFields.contains(header.name.lowercased()) {
            let separator = header.name.lowercased() == "cookie" ? "; " : ", "
            let value = object[header.name]?.text.map { $0 + separator + header.value } ?? header.value
            object[header.name] = .text(value)
        }
        return object
    }

    private static func body(_ body: Data) -> String {
        if body.isEmpty { return "null" }
        if let text = String(validating: body, as: UTF8.self) { return literal(text) }
        return "encoding.b64decode(\(literal(body.base64EncodedString())), \"std\")"
    }

    private static func literal(_ text: String) -> String { self.text(.text(text)) }

    /// JSON, which is JavaScript, but for two line ends that were none in JSON before ECMAScript 2019.
    private static func text(_ value: JSONValue) -> String {
        String(decoding: value.data(), as: UTF8.self)
            .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    }
}
