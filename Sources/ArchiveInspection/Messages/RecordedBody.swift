package import Foundation
package import HTTPArchive

extension Charset {
    /// Returns the charset of a text body.
    ///
    /// The media type determines the charset. If it does not, or if the bytes are not UTF-8 as declared, the charset is
    /// found as in browsers (https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding):
    /// by the byte order mark, by the declaration in an HTML, XML or CSS document, or else Windows-1252. Text that is
    /// UTF-8 except for a few bytes, such as a cut character at its end, remains UTF-8.
    ///
    /// - Parameters:
    ///   - body: The bytes, after content codings are removed.
    ///   - type: The media type; nil if it is unknown.
    /// - Returns: The charset, or nil if the body is not text.
    static func charset(of body: Data, type: MediaType?) -> Charset? {
        if let declared = type?.charset.flatMap(Charset.init(label:)), declared != .utf8 { return declared }
        let isUTF8 = String(validating: body, as: UTF8.self) != nil
        // ISO-2022-JP consists of ASCII characters and escape sequences.
        if isUTF8, !body.contains(0x1B) { return .utf8 }
        if let marked = marked(body) { return marked }
        let essence = type?.essence ?? ""
        if documentTypes.contains(where: essence.hasSuffix), let declared = declared(in: body) { return declared }
        if isUTF8 { return .utf8 }
        let isText = essence.hasPrefix("text/") || textTypes.contains(where: essence.hasSuffix)
        guard isText, !body.contains(where: isControl) else { return nil }
        return isMainlyUTF8(body) ? .utf8 : .windows1252
    }

    /// Returns whether a text has more valid non-ASCII characters in UTF-8 than invalid bytes.
    private static func isMainlyUTF8(_ body: Data) -> Bool {
        var balance = 0
        for scalar in String(decoding: body, as: UTF8.self).unicodeScalars where !scalar.isASCII {
            balance += scalar == "\u{FFFD}" ? -1 : 1
        }
        return balance > 0
    }

    /// The suffixes of media types whose bodies can declare their charset.
    private static let documentTypes = ["/html", "/css", "/xml", "+xml"]

    /// The suffixes of media types, other than `text/…`, whose bodies are text.
    private static let textTypes = ["/xml", "+xml", "json", "javascript", "ecmascript", "x-www-form-urlencoded"]

    /// The number of bytes at the start of a document that can declare the charset.
    private static let declarationSize = 1024

    private static func marked(_ body: Data) -> Charset? {
        if body.starts(with: [0xFF, 0xFE]) { return Charset(label: "utf-16le") }
        return body.starts(with: [0xFE, 0xFF]) ? Charset(label: "utf-16be") : nil
    }

    private static func declared(in document: Data) -> Charset? {
        let start = String(decoding: document.prefix(declarationSize), as: UTF8.self)
        guard let match = start.firstMatch(of: #/(?i)\b(?:charset\s*=|@charset|encoding\s*=)\s*["']?([\w.:-]+)/#)
        else { return nil }
        // The declaration itself is not UTF-16.
        let label = String(match.1).lowercased()
        return label.hasPrefix("utf-16") ? nil : Charset(label: label).flatMap { $0 == .utf8 ? nil : $0 }
    }

    /// Returns whether a byte is a control character that text in Windows-1252 does not contain.
    private static func isControl(_ byte: UInt8) -> Bool {
        byte < 0x20 && !(0x09...0x0D ~= byte) && byte != 0x1B
    }
}

/// The text of recorded bodies, and the only definition of binary bodies, for everything that shows, searches or compares
/// bodies.
package enum RecordedBody {
    /// The top-level types whose bodies are binary.
    private static let binaryTypes = [
        "image/", "font/", "audio/", "video/", "application/font-", "application/x-font-",
    ]

    /// The suffixes of subtypes whose bodies are binary.
    private static let binarySuffixes = [
        "+zip", "+gzip", "+cbor", "+proto", "+protobuf", "+msgpack", "+wasm", "+thrift",
    ]

    /// Other media types whose bodies are binary, even if their first bytes are text.
    private static let binaryEssences: Set = [
        "application/cbor", "application/gzip", "application/java-archive", "application/grpc", "application/grpc-web",
        "application/msgpack", "application/pdf", "application/protobuf", "application/vnd.google.protobuf",
        "application/vnd.ms-fontobject", "application/vnd.msgpack", "application/vnd.rar", "application/wasm",
        "application/x-7z-compressed", "application/x-bzip2", "application/x-gzip", "application/x-msgpack",
        "application/x-protobuf", "application/x-shockwave-flash", "application/x-tar", "application/x-xz",
        "application/x-zip-compressed", "application/zip", "application/zstd",
    ]

    /// Returns whether bodies of a media type are binary, regardless of their content.
    package static func isBinary(_ type: MediaType?) -> Bool {
        guard let essence = type?.essence, !essence.hasSuffix("+xml") else { return false }
        return binaryTypes.contains(where: essence.hasPrefix) || binarySuffixes.contains(where: essence.hasSuffix)
            || binaryEssences.contains(essence)
    }

    /// Returns the text of a body, or nil if the body is binary: because of its media type, or because the bytes are not
    /// text in the charset of the body, or contain U+0000.
    ///
    /// - Parameters:
    ///   - body: The bytes, after content codings are removed.
    ///   - type: The media type; nil if it is unknown.
    /// - Returns: The text, with the byte order mark if there is one.
    package static func text(of body: Data, type: MediaType?) -> String? {
        if isBinary(type) { return nil }
        guard let charset = Charset.charset(of: body, type: type) else { return nil }
        let text = charset == .utf8 ? String(decoding: body, as: UTF8.self) : charset.decode(body)
        return text.utf8.contains(0) ? nil : text
    }

    /// Returns the JSON object or array in a text, or nil for any other text.
    package static func json(in text: String) -> JSONValue? {
        guard let first = text.utf8.first(where: { $0 > 0x20 }),
            first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        else { return nil }
        return try? JSONValue(parsing: text)
    }

    /// Returns the operations of a GraphQL request, or none for other JSON.
    ///
    /// Source: https://graphql.github.io/graphql-over-http/draft/#sec-Request
    ///
    /// - Parameter value: The request, or several requests in an array.
    /// - Returns: The objects with a document.
    package static func operations(in value: JSONValue) -> [JSONObject] {
        let operations = (value.array ?? [value]).map(\.object)
        let areOperations = operations.allSatisfy { $0?["query"]?.text?.contains("{") == true }
        return areOperations ? operations.compactMap(\.self) : []
    }
}
