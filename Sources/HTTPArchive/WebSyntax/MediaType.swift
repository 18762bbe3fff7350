/// A media type with its parameters (RFC 9110, section 8.3.1, https://www.rfc-editor.org/rfc/rfc9110#section-8.3.1).
public struct MediaType: Hashable, Sendable {
    /// The type and subtype in lower case, such as `text/html`.
    public let essence: String

    /// The values of the parameters by name, in lower case.
    public let parameters: [String: String]

    /// Parses the value of a header field leniently.
    ///
    /// Returns `nil` if the value has no type and subtype, such as `x-unknown`.
    ///
    /// - Parameter text: The value, such as `text/html; charset=utf-8`.
    public init?(_ text: String) {
        let parts = Self.split(text)
        let essence = parts[0].lowercased()
        guard essence.utf8.contains(UInt8(ascii: "/")) else { return nil }
        self.essence = essence
        parameters = Dictionary(
            parts.dropFirst().compactMap { part in
                guard let equals = part.firstIndex(of: "=") else { return nil }
                let name = part[..<equals].trimmed.lowercased()
                return (name, Self.unquoted(part[part.index(after: equals)...].trimmed))
            },
            uniquingKeysWith: { first, _ in first })
    }

    /// The charset parameter; `nil` if it is missing or empty.
    public var charset: String? { parameters["charset"].flatMap { $0.isEmpty ? nil : $0 } }

    /// Splits the text at semicolons outside quotation marks.
    private static func split(_ text: String) -> [String] {
        guard text.utf8.contains(UInt8(ascii: ";")) else { return [text[...].trimmed] }
        guard text.utf8.contains(UInt8(ascii: "\"")) else {
            return text.split(separator: ";", omittingEmptySubsequences: false).map(\.trimmed)
        }
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == ";", !isQuoted {
                parts.append("")
                continue
            }
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = isQuoted && character == "\\" && !isEscaped
            parts[parts.count - 1].append(character)
        }
        return parts.map { $0[...].trimmed }
    }

    private static func unquoted(_ value: String) -> String {
        guard value.count >= 2, value.hasPrefix("\""), value.hasSuffix("\"") else { return value }
        var text = ""
        var isEscaped = false
        for character in value.dropFirst().dropLast() {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                text.append(character)
                isEscaped = false
            }
        }
        return text
    }
}

extension Substring {
    /// The text without leading and trailing white space.
    fileprivate var trimmed: String {
        if utf8.allSatisfy({ $0 < 0x80 }) {
            // ASCII, the most frequent case, needs no lookup of Unicode properties.
            let isSpace = { (byte: UInt8) in byte == 0x20 || 0x09...0x0D ~= byte }
            guard let first = utf8.firstIndex(where: { !isSpace($0) }),
                let last = utf8.lastIndex(where: { !isSpace($0) })
            else { return "" }
            return String(self[first...last])
        }
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
