import ArchiveInspection
import Foundation
import HTTPArchive

/// An exporter for k6 load tests that check the status of each response.
///
/// See https://grafana.com/docs/k6/latest/javascript-api/.
struct K6Exporter: ArchiveExporter {
    /// The header fields that k6 sets itself.
    private static let automaticFields: Set = ["content-length", "host", "connection", "transfer-encoding"]

    func beginning(title: String) -> String {
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
        guard exported.unsupportedReason == nil, let body = exported.requestBody else { return nil }
        let request = exported.entry.request
        // The target of a redirect is a separate entry.
        let parameters = "{\"headers\":\(Self.headers(exported.requestHeaders)),\"redirects\":0}"
        let words = [Self.literal(request.method), Self.literal(request.url), Self.body(body), parameters]
        var text = "\n  response = http.request(\(words.joined(separator: ", ")));\n"
        let status = exported.entry.response.status
        if HAR.Response.statuses.contains(status) {
            let name = Self.checkName("\(exported.index): \(request.method) \(request.url): \(status)")
            text += "  check(response, { \(Self.literal(name)): (r) => r.status === \(status) });\n"
        }
        return text
    }

    /// Returns the name of a check without `::`, with which k6 separates the names of groups.
    private static func checkName(_ text: String) -> String {
        // A colon with a combining mark is another character, but k6 compares bytes.
        String(text.unicodeScalars.replacing("::".unicodeScalars, with: "%3A%3A".unicodeScalars))
    }

    /// Returns an object literal with one value per name, as k6 requires.
    ///
    /// `__proto__` becomes a computed name, because as a plain name it would set the prototype instead of a property.
    private static func headers(_ headers: [HAR.Header]) -> String {
        let sent = headers.filter { !automaticFields.contains($0.name.lowercased()) }
        let merged = sent.merged(by: { $0 }, separator: { $0.lowercased() == "cookie" ? "; " : ", " })
        let members = merged.map { name, value in
            "\(name == "__proto__" ? "[\(literal(name))]" : literal(name)):\(literal(value))"
        }
        return "{\(members.joined(separator: ","))}"
    }

    private static func body(_ body: Data) -> String {
        if body.isEmpty { return "null" }
        if let text = String(validating: body, as: UTF8.self) { return literal(text) }
        return "encoding.b64decode(\(literal(body.base64EncodedString())), \"std\")"
    }

    /// Returns a string literal.
    ///
    /// Before ECMAScript 2019, string literals could not contain U+2028 or U+2029.
    private static func literal(_ text: String) -> String {
        String(decoding: JSONValue.text(text).data(), as: UTF8.self)
            .replacing("\u{2028}", with: "\\u2028").replacing("\u{2029}", with: "\\u2029")
    }
}
