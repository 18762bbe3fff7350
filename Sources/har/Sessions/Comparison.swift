import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What an entry recorded, beside what a session answered.
///
/// It is made from the entry alone, so that it finds what is wrong with the answers.
struct Comparison {
    private let entry: HAR.Entry
    private let recordedBody: Data?

    /// Prepares the comparison with an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - folder: Where bodies in files of their own are.
    /// - Throws: `unreadableFile` when such a file is missing.
    init(with entry: HAR.Entry, folder: HAR.BodyFolder) throws(HARError) {
        self.entry = entry
        recordedBody = try entry.response.bodyData(in: folder)
    }

    /// Prepares the comparison with an entry whose body may be in a file of a folder.
    init(with entry: HAR.Entry, folder: URL) throws(HARError) {
        try self.init(with: entry, folder: HAR.BodyFolder(folder))
    }

    /// What differs: names and sizes, never values.
    ///
    /// - Parameters:
    ///   - answer: What the session gave.
    ///   - body: The body that came with it.
    ///   - url: What was asked for.
    /// - Returns: A text for each difference; none when the answer is the recorded one.
    func differences(from answer: HTTPURLResponse, body: Data, url: URL?) -> [String] {
        var result: [String] = []
        if answer.statusCode != entry.response.status {
            result.append("status \(answer.statusCode) instead of \(entry.response.status)")
        }
        // An answer that was recorded as its client saw it says where it came from.
        let expected = entry.response["_url"]?.text ?? url?.absoluteString
        if answer.url?.absoluteString != expected { result.append("another URL") }
        result += headerDifferences(from: answer, body: body)
        let recorded = hasBody ? recordedBody ?? Data() : Data()
        if body != recorded {
            result.append(
                body.count == recorded.count
                    ? "a body of the same size, but other bytes"
                    : "a body of \(body.count.of("byte", "bytes")) instead of \(recorded.count)")
        }
        return result
    }

    private func headerDifferences(from answer: HTTPURLResponse, body: Data) -> [String] {
        var expected = recordedFields
        if hasBody {
            expected["content-encoding"] = nil
            expected["transfer-encoding"] = nil
            if expected["content-length"] != nil { expected["content-length"] = String(body.count) }
        }
        var delivered: [String: String] = [:]
        for case let (name as String, value as String) in answer.allHeaderFields {
            delivered[name.lowercased()] = Self.normalized(value)
        }
        return Set(expected.keys).union(delivered.keys).sorted().compactMap { name in
            switch (expected[name], delivered[name]) {
            case (_?, nil): "no header \(name)"
            case (nil, _?): "a header \(name) that was not recorded"
            case (let first, let second): first == second ? nil : "another value of the header \(name)"
            }
        }
    }

    /// The recorded fields by their names in lower case; those of one name joined, as sessions do.
    private var recordedFields: [String: String] {
        var fields: [String: String] = [:]
        for header in entry.response.headers where Self.isToken(header.name) {
            let name = header.name.lowercased()
            let values = header.value.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
            let value = Self.normalized(values.joined(separator: ", "))
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        let redirect = entry.response.redirectURL
        if [301, 302, 303, 307, 308].contains(entry.response.status), fields["location"] == nil, !redirect.isEmpty {
            fields["location"] = redirect
        }
        return fields
    }

    /// Whether an answer of that kind has a body (https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1).
    private var hasBody: Bool {
        entry.request.method.uppercased() != "HEAD" && ![204, 304].contains(entry.response.status)
    }

    /// White space at the ends of a value means nothing, and NUL cannot be in one.
    private static func normalized(_ value: String) -> String {
        value.replacing("\0", with: " ").trimmingCharacters(in: .whitespaces)
    }

    /// Whether it is the name of a field, and not `:status` (https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
    private static func isToken(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0123456789!#$%&'*+.^_`|~-".unicodeScalars.contains(scalar))
            }
    }
}
