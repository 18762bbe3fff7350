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
