/// A set of bytes, such as the characters that a syntax allows.
///
/// The static properties are the character sets used in this package. A set stores one bit per ASCII character in two
/// words, so a lookup takes only a shift and a mask.
package struct ByteSet: Sendable, Hashable {
    @usableFromInline var low: UInt64 = 0
    @usableFromInline var high: UInt64 = 0
    @usableFromInline var hasOthers = false

    /// Returns whether a byte is in the set.
    @inlinable package func contains(_ byte: UInt8) -> Bool {
        if byte > 0x7F { return hasOthers }
        return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 != 0
    }

    /// Returns whether the set contains all bytes of the text.
    ///
    /// This method is not generic because calls from other modules would not be specialized.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - range: The range to test, or nil (the default) for the whole text.
    /// - Returns: `true` if the set contains all of the bytes, or if the range is empty.
    package func containsAll(of text: UnsafeRawBufferPointer, in range: Range<Int>? = nil) -> Bool {
        for offset in range ?? 0..<text.count where !contains(text[offset]) { return false }
        return true
    }

    /// Returns a copy of this set with additional ASCII characters.
    ///
    /// - Parameter characters: The ASCII characters.
    /// - Returns: The set.
    package func union(_ characters: StaticString) -> ByteSet {
        var set = self
        characters.withUTF8Buffer { for byte in $0 { set.insert(byte) } }
        return set
    }

    /// Returns a copy of this set without the given ASCII characters.
    ///
    /// - Parameter characters: The ASCII characters.
    /// - Returns: The set.
    func subtracting(_ characters: StaticString) -> ByteSet {
        let others = ByteSet(characters)
        return ByteSet(low: low & ~others.low, high: high & ~others.high, hasOthers: hasOthers)
    }

    private mutating func insert(_ byte: UInt8) {
        if byte < 64 { low |= 1 << UInt64(byte) } else if byte < 128 { high |= 1 << UInt64(byte - 64) }
    }
}

extension ByteSet {
    /// Creates a set of ASCII characters.
    ///
    /// - Parameter characters: The ASCII characters.
    package init(_ characters: StaticString) {
        self = ByteSet().union(characters)
    }

    /// All bytes.
    static let all = ByteSet(low: .max, high: .max, hasOthers: true)

    /// The ASCII letters and digits.
    package static let alphanumerics = ByteSet("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

    /// The characters allowed in a token, such as a method, a field name or a parameter name (RFC 9110, section 5.6.2,
    /// https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2).
    package static let token = alphanumerics.union("!#$%&'*+-.^_`|~")

    /// The unreserved characters, which mean the same in a URL whether or not they are percent-encoded (RFC 3986,
    /// section 2.3, https://www.rfc-editor.org/rfc/rfc3986#section-2.3).
    package static let unreserved = alphanumerics.union("-._~")

    /// The characters that are not percent-encoded in form data
    /// (https://url.spec.whatwg.org/#application-x-www-form-urlencoded-percent-encode-set).
    package static let form = alphanumerics.union("*-._")

    /// The characters allowed in a path, query or fragment, except the percent sign (RFC 3986, sections 3.3 to 3.5,
    /// https://www.rfc-editor.org/rfc/rfc3986#section-3.3).
    package static let urlPart = unreserved.union("!$&'()*+,;=:@/?")

    /// The characters allowed in a URL, including the percent sign (RFC 3986, section 2,
    /// https://www.rfc-editor.org/rfc/rfc3986#section-2).
    package static let url = urlPart.union("#[]%")

    /// The characters allowed in a normalized host name.
    package static let normalHost = ByteSet("0123456789abcdefghijklmnopqrstuvwxyz-.")

    /// All bytes except spaces and ASCII control characters.
    package static let visible = url.union("\"<>\\^`{|}").withOthers

    /// This set and all bytes that are not ASCII.
    var withOthers: ByteSet { ByteSet(low: low, high: high, hasOthers: true) }
}
