import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares a recorded response with the response that a session received.
///
/// The comparison uses only the entry and no replay code, so that it can find errors in replay.
struct Comparison {
    private let entry: HAR.Entry
    private let recordedBody: InterpretedBody?

    /// Creates a comparison with the response of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - folder: The folder with the archive's body files.
    /// - Throws: `unreadableFile` if a body file cannot be read.
    init(with entry: HAR.Entry, folder: HAR.BodyFolder) throws(HARError) {
        self.entry = entry
        recordedBody = try entry.response.interpretedBody(in: folder)
    }

    /// Returns the differences, without header values and body content.
    ///
    /// - Parameters:
    ///   - response: The response that the session received.
    ///   - body: The body of the response.
    ///   - url: The URL of the request.
    /// - Returns: One text per difference, or an empty array if the response equals the recorded response.
    func differences(from response: HTTPURLResponse, body: Data, url: URL?) -> [String] {
        var result: [String] = []
        if response.statusCode != entry.response.status {
            result.append("expected status \(entry.response.status), found \(response.statusCode)")
        }
        // A response recorded after redirects has a different URL than its request.
        let expected = entry.response["_url"]?.text ?? url?.absoluteString
        if response.url?.absoluteString != expected { result.append("different URL") }
        result += headerDifferences(from: response, body: body)
        let recorded = hasBody ? recordedBody?.bytes ?? Data() : Data()
        if body != recorded {
            result.append(
                body.count == recorded.count
                    ? "different body of the same size"
                    : "expected a body of \(recorded.count.of("byte", "bytes")), found \(body.count)")
        }
        return result
    }

    private func headerDifferences(from response: HTTPURLResponse, body: Data) -> [String] {
        var expected = recordedFields
        if hasBody {
            if recordedBody?.keepsCoding != true { expected["content-encoding"] = nil }
            expected["transfer-encoding"] = nil
            if expected["content-length"] != nil { expected["content-length"] = String(body.count) }
        }
        var delivered: [String: String] = [:]
        for case let (name as String, value as String) in response.allHeaderFields {
            delivered[name.lowercased()] = Self.normalized(value)
        }
        return Set(expected.keys).union(delivered.keys).sorted().compactMap { name in
            switch (expected[name], delivered[name]) {
            case (_?, nil): "missing header \(name)"
            case (nil, _?): "unexpected header \(name)"
            case (let first, let second): first == second ? nil : "different value for header \(name)"
            }
        }
    }

    /// The recorded fields by lowercase name.
    ///
    /// Values with the same name are joined, as in URLSession.
    private var recordedFields: [String: String] {
        var fields: [String: String] = [:]
        for header in entry.response.headers where FieldSyntax.isToken(header.name) {
            let name = header.name.lowercased()
            let value = Self.joined(header.value)
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        let redirect = entry.response.redirectURL
        if [301, 302, 303, 307, 308].contains(entry.response.status), fields["location"] == nil, !redirect.isEmpty {
            fields["location"] = redirect
        }
        return fields
    }

    /// Whether the response can have a body (https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1).
    private var hasBody: Bool {
        entry.request.method.uppercased() != "HEAD" && ![204, 304].contains(entry.response.status)
    }

    /// Returns a value whose lines are joined, as in URLSession.
    private static func joined(_ value: String) -> String {
        if FieldSyntax.isPlain(value) { return value }
        let values = value.split(whereSeparator: \.isNewline).map { $0.trimming(.whitespaces) }
        return normalized(values.joined(separator: ", "))
    }

    /// Returns a value without invalid characters or insignificant leading and trailing whitespace.
    private static func normalized(_ value: String) -> String {
        if FieldSyntax.isPlain(value) { return value }
        return FieldSyntax.singleLine(value).trimming(.whitespaces)
    }
}
