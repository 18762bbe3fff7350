extension JSONNode {
    /// The value of the last member with the given name.
    ///
    /// Most JSON parsers resolve duplicate names this way.
    package subscript(name: String) -> JSONNode? {
        var name = name
        let value = name.withUTF8 { source.member(UnsafeRawBufferPointer($0), of: index) }
        return value.map { JSONNode(source: source, index: $0) }
    }
}

extension JSONSource {
    /// Returns the token index of the value of an object's last member with the given name.
    ///
    /// Returns nil if the member is missing or the value at `object` is not an object.
    @inline(__always)
    func member(_ name: StaticString, of object: Int) -> Int? {
        name.withUTF8Buffer { member(UnsafeRawBufferPointer($0), of: object) }
    }

    /// Returns the token index of the value of an object's last member with the given name.
    ///
    /// Returns nil if the member is missing or the value at `object` is not an object.
    func member(_ name: UnsafeRawBufferPointer, of object: Int) -> Int? {
        tokens.withUnsafeBufferPointer { tokens in
            guard tokens[object].kind == .object else { return nil }
            // The index of the last token of a value, and then of its first token. Searching from the end finds the last
            // member first.
            var value = Int(tokens[object].next) &- 2
            // This function decodes no key and calls no function for short names, so it need not save registers, which
            // would take as long as comparing several names.
            guard UnsafeRawBufferPointer.shortSizes.contains(name.count) else {
                return member(name, of: object, upTo: value)
            }
            let size = UInt32(truncatingIfNeeded: name.count)
            while value > object {
                if tokens[value].kind == .close { value = Int(tokens[value].next) }
                // Most names differ in size, so comparing the sizes first avoids most comparisons of bytes.
                let key = tokens[value &- 1]
                if key.next == size {
                    guard let isEqual = isShort(key, equalTo: name) else {
                        return member(name, of: object, upTo: value)
                    }
                    if isEqual { return value }
                } else if key.next == 0 {
                    return member(name, of: object, upTo: value)
                }
                value &-= 2
            }
            return nil
        }
    }

    /// Returns the token index of the value of the last member with the given name up to a value of the object.
    ///
    /// The name can have any size, and keys can contain escape sequences.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - object: The index of the object.
    ///   - last: The index of the first or last token of a value of the object, or of the object if it is empty.
    /// - Returns: The index, or nil if no such member has the name.
    @inline(never)
    private func member(_ name: UnsafeRawBufferPointer, of object: Int, upTo last: Int) -> Int? {
        tokens.withUnsafeBufferPointer { tokens in
            let size = UInt32(clamping: name.count)
            var value = last
            while value > object {
                if tokens[value].kind == .close { value = Int(tokens[value].next) }
                let key = tokens[value &- 1]
                if key.next == size || key.next == 0, isKey(key, after: tokens[value &- 2], name) { return value }
                value &-= 2
            }
            return nil
        }
    }

    /// Returns whether a key is equal to `wanted`.
    ///
    /// A key without escape sequences is compared without decoding it.
    private func isKey(_ key: JSONToken, after previous: JSONToken, _ wanted: UnsafeRawBufferPointer) -> Bool {
        bytes.withUnsafeBytes { text in
            if let name = Self.plainText(of: key, in: text) { return name.isEqual(to: wanted) }
            let start = JSONText.skipGap(in: text, from: Int(previous.end)) &+ 1
            let string = JSONString(source: text[from: start, to: Int(key.end) &- 1])
            return !string.isLossy && string.text.utf8.elementsEqual(wanted)
        }
    }

    /// Returns whether a key is equal to a short name of the same size, or nil if the key may contain an escape sequence.
    @inline(__always)
    private func isShort(_ key: JSONToken, equalTo name: UnsafeRawBufferPointer) -> Bool? {
        bytes.withUnsafeBytes { text in Self.plainText(of: key, in: text)?.hasEqualShortBytes(to: name) }
    }

    /// Returns the text between the quotation marks of a string or key, or nil if it may contain an escape sequence.
    @inline(__always)
    package static func plainText(of token: JSONToken, in text: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
        let size = Int(token.next)
        let start = Int(token.end) &- 1 &- size
        // An escape sequence is longer than its character, so it would move the opening quotation mark. Only the first
        // value of a source has no byte before it.
        guard size > 0, start >= 2 else { return nil }
        guard text[start &- 1] == UInt8(ascii: "\""), text[start &- 2] != UInt8(ascii: "\\") else { return nil }
        return text[from: start, to: start &+ size]
    }
}
