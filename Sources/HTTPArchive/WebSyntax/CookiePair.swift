/// A name and a value in a `Cookie` field, or a cookie or attribute in a `Set-Cookie` field (RFC 6265, sections 4.2 and
/// 5.2, https://www.rfc-editor.org/rfc/rfc6265#section-5.2).
///
/// The name and the value are slices, so their indices refer to the original bytes.
package struct CookiePair<Bytes: BidirectionalCollection<UInt8>> {
    /// The name, or `nil` if there is no equals sign.
    ///
    /// As in browsers, a part without an equals sign is a value without a name
    /// (https://www.ietf.org/archive/id/draft-ietf-httpbis-rfc6265bis-15.html#section-5.6).
    package let name: Bytes.SubSequence?

    /// The value, without surrounding whitespace.
    package let value: Bytes.SubSequence

    /// Splits a part at its first equals sign.
    ///
    /// - Parameter part: The bytes between two semicolons.
    package init(_ part: Bytes.SubSequence) {
        if let equals = part.firstIndex(of: UInt8(ascii: "=")) {
            name = part[..<equals].withoutBlanks
            value = part[part.index(after: equals)...].withoutBlanks
        } else {
            name = nil
            value = part.withoutBlanks
        }
    }
}

extension CookiePair {
    /// Splits a field value at its semicolons, keeping empty parts.
    ///
    /// - Parameter bytes: The value of the field.
    /// - Returns: A lazy sequence of the parts, in order.
    package static func parts(of bytes: Bytes) -> some Sequence<Bytes.SubSequence> {
        sequence(state: Optional(bytes[...])) { rest in
            guard let bytes = rest else { return nil }
            let end = bytes.firstIndex(of: UInt8(ascii: ";"))
            rest = end.map { bytes[bytes.index(after: $0)...] }
            return bytes[..<(end ?? bytes.endIndex)]
        }
    }
}

/// A cookie or attribute in a string.
package typealias CookieText = CookiePair<String.UTF8View>

extension CookieText {
    /// Splits a part at its first equals sign.
    ///
    /// - Parameter part: The text between two semicolons.
    package init(_ part: some StringProtocol) {
        self.init(Substring(part).utf8)
    }

    /// The lowercase name of a `Set-Cookie` attribute.
    ///
    /// Without an equals sign, the name is the whole attribute.
    package var attribute: String { Substring(name ?? value).lowercased() }

    /// The value as text.
    package var text: String { String(Substring(value)) }

    /// Finds the dates in the `Expires` attributes of a `Set-Cookie` field.
    ///
    /// - Parameter field: The value of the field, or of several fields joined by line breaks or commas.
    /// - Returns: The ranges of the dates, in order. Their text can be invalid.
    package static func expiryDates(in field: String) -> [Range<String.Index>] {
        let ends = ByteSet(",\"\r\n")
        return parts(of: field.utf8).dropFirst().compactMap { part in
            let attribute = CookieText(part)
            guard attribute.attribute == "expires" else { return nil }
            let date = attribute.value.drop { $0 == UInt8(ascii: "\"") }
            // A comma can follow the weekday. Any other comma separates cookies.
            let rest = date.drop { ByteSet.alphanumerics.contains($0) }.drop { $0 == UInt8(ascii: ",") }
            return date.startIndex..<(rest.firstIndex { ends.contains($0) } ?? rest.endIndex)
        }
    }
}
