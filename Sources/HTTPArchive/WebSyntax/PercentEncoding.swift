/// Percent-encoding (RFC 3986, section 2.1, https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
package enum PercentEncoding {
    // MARK: Decoding

    /// Decodes percent-encoded text.
    ///
    /// - Parameters:
    ///   - text: Any text. Percent signs that are not followed by two hexadecimal digits are unchanged.
    ///   - plusIsSpace: Whether a plus sign represents a space, as in forms; `false` by default.
    /// - Returns: The decoded text, with invalid UTF-8 replaced with U+FFFD.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func decoded(_ text: Substring.UTF8View, plusIsSpace: Bool = false) -> String {
        Substring(text).withUTF8Bytes { String(decoding: bytes(of: $0, plusIsSpace: plusIsSpace), as: UTF8.self) }
    }

    /// Decodes percent-encoded text if the result is valid UTF-8.
    ///
    /// - Parameters:
    ///   - text: Any text. Percent signs that are not followed by two hexadecimal digits are unchanged.
    ///   - plusIsSpace: Whether a plus sign represents a space, as in forms; `false` by default.
    /// - Returns: The decoded text, or `nil` if the decoded bytes are not valid UTF-8.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package static func decodedUTF8(_ text: Substring.UTF8View, plusIsSpace: Bool = false) -> String? {
        Substring(text).withUTF8Bytes { String(validating: bytes(of: $0, plusIsSpace: plusIsSpace), as: UTF8.self) }
    }

    /// Decodes percent-encoded bytes.
    ///
    /// - Parameters:
    ///   - text: Any bytes.
    ///   - plusIsSpace: Whether a plus sign represents a space, as in forms; `false` by default.
    /// - Returns: The decoded bytes.
    /// - Complexity: O(*n*), where *n* is the number of bytes.
    package static func bytes(of text: UnsafeRawBufferPointer, plusIsSpace: Bool = false) -> [UInt8] {
        // Empty arrays share one storage object, and the initializer below would write to it.
        guard !text.isEmpty, text.firstOffset(of: UInt8(ascii: "%")) != nil || plusIsSpace else { return [UInt8](text) }
        return [UInt8](unsafeUninitializedCapacity: text.count) { bytes, count in
            for byte in PercentDecoder(text, plusIsSpace: plusIsSpace) {
                bytes[count] = byte
                count += 1
            }
        }
    }

    // MARK: Encoding

    /// Percent-encodes text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - set: The characters to leave unencoded.
    ///   - keepsEscapes: Whether to leave escape sequences unchanged, for text that may already be encoded; `false` by
    ///     default.
    /// - Returns: The encoded text, with uppercase hexadecimal digits.
    package static func encoded(_ text: Substring, keeping set: ByteSet, keepsEscapes: Bool = false) -> String {
        text.withUTF8Bytes {
            String(decoding: encoded($0, keeping: set, keepsEscapes: keepsEscapes), as: UTF8.self)
        }
    }

    /// Percent-encodes text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - set: The characters to leave unencoded.
    /// - Returns: The encoded text, with uppercase hexadecimal digits.
    package static func encoded(_ text: String, keeping set: ByteSet) -> String { encoded(text[...], keeping: set) }

    /// Percent-encodes bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - set: The characters to leave unencoded.
    ///   - keepsEscapes: Whether to leave escape sequences unchanged; `false` by default.
    /// - Returns: The encoded bytes, with uppercase hexadecimal digits.
    package static func encoded(
        _ bytes: UnsafeRawBufferPointer, keeping set: ByteSet, keepsEscapes: Bool = false
    ) -> [UInt8] {
        var encoded: [UInt8] = []
        encoded.reserveCapacity(bytes.count)
        for (offset, byte) in bytes.enumerated() {
            if set.contains(byte) || keepsEscapes && isEscape(in: bytes, at: offset) {
                encoded.append(byte)
            } else {
                append(byte, to: &encoded)
            }
        }
        return encoded
    }

    /// Returns the normal form of percent-encoded text, which is equal for equivalent text (RFC 3986, section 6.2.2,
    /// https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2).
    ///
    /// Spaces, control characters and non-ASCII bytes are encoded. Other characters are decoded, except encoded
    /// delimiters.
    ///
    /// - Parameters:
    ///   - text: A path or a query.
    ///   - delimiters: The characters that stay encoded, because decoding them would change the meaning of the text. A
    ///     percent sign that does not begin an escape sequence is treated as an encoded percent sign.
    /// - Returns: The text in its normal form.
    package static func normalized(_ text: Substring.UTF8View, delimiters: ByteSet) -> String {
        Substring(text).withUTF8Bytes { text in
            var normal: [UInt8] = []
            normal.reserveCapacity(text.count)
            var decoder = PercentDecoder(text)
            var start = 0
            while let byte = decoder.next() {
                let isEncoded = text[start] == UInt8(ascii: "%")
                if byte <= 0x20 || byte >= 0x7F || isEncoded && delimiters.contains(byte) {
                    append(byte, to: &normal)
                } else {
                    normal.append(byte)
                }
                start = decoder.offset
            }
            return String(decoding: normal, as: UTF8.self)
        }
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(Hexadecimal.uppercase(byte >> 4))
        bytes.append(Hexadecimal.uppercase(byte & 0xF))
    }

    private static func isEscape(in text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        text[offset] == UInt8(ascii: "%") && offset + 2 < text.count && text[offset + 1].hexadecimalDigit != nil
            && text[offset + 2].hexadecimalDigit != nil
    }
}

/// A sequence of the bytes of percent-encoded text (RFC 3986, section 2.1,
/// https://www.rfc-editor.org/rfc/rfc3986#section-2.1).
///
/// A percent sign that is not followed by two hexadecimal digits is an ordinary character, so any text can be decoded.
package struct PercentDecoder: Sequence, IteratorProtocol {
    @usableFromInline let text: UnsafeRawBufferPointer
    @usableFromInline let plusIsSpace: Bool

    /// The byte offset of the next character in the encoded text.
    @usableFromInline package internal(set) var offset = 0

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - text: The encoded text, which must outlive the decoder.
    ///   - plusIsSpace: Whether a plus sign represents a space, as in forms
    ///     (https://url.spec.whatwg.org/#urlencoded-parsing). In other parts of a URL, a plus sign represents itself.
    @inlinable package init(_ text: UnsafeRawBufferPointer, plusIsSpace: Bool = false) {
        self.text = text
        self.plusIsSpace = plusIsSpace
    }

    /// Returns the next byte, or `nil` at the end of the text.
    @inlinable package mutating func next() -> UInt8? {
        guard offset < text.count else { return nil }
        let byte = text[offset]
        if byte == 0x25, offset + 2 < text.count, let high = text[offset + 1].hexadecimalDigit,
            let low = text[offset + 2].hexadecimalDigit
        {
            offset += 3
            return high << 4 | low
        }
        offset += 1
        return plusIsSpace && byte == 0x2B ? 0x20 : byte
    }
}
