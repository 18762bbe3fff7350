extension JSONNode {
    /// The value of the last member of that name, as JSON parsers take it when a name stands twice.
    subscript(name: String) -> JSONNode? {
        var name = name
        return name.withUTF8 { member(UnsafeRawBufferPointer($0)) }
    }

    /// The value of the last member of that name.
    subscript(name: StaticString) -> JSONNode? {
        name.withUTF8Buffer { member(UnsafeRawBufferPointer($0)) }
    }

    private func member(_ name: UnsafeRawBufferPointer) -> JSONNode? {
        source.member(name, of: index).map { JSONNode(source: source, index: $0) }
    }
}

extension JSONSource {
    /// The index of the value of an object's last member of that name; `nil` where there is none, or no object.
    func member(_ name: StaticString, of object: Int) -> Int? {
        name.withUTF8Buffer { member(UnsafeRawBufferPointer($0), of: object) }
    }

    /// The index of the value of an object's last member of that name; `nil` where there is none, or no object.
    func member(_ name: UnsafeRawBufferPointer, of object: Int) -> Int? {
        tokens.withUnsafeBufferPointer { tokens in
            bytes.withUnsafeBytes { Self.member(name, of: object, in: tokens, text: $0) }
        }
    }

    @inline(__always)
    private static func member(
        _ wanted: UnsafeRawBufferPointer, of object: Int, in tokens: UnsafeBufferPointer<JSONToken>,
        text: UnsafeRawBufferPointer
    ) -> Int? {
        guard tokens[object].kind == .object else { return nil }
        var found: Int?
        var key = object &+ 1
        while tokens[key].kind == .key {
            let size = Int(tokens[key].next)
            // Most names differ in their size, so that their bytes need not be looked at.
            if size == wanted.count || size == 0, isKey(key, wanted, in: tokens, text: text) { found = key &+ 1 }
            switch tokens[key &+ 1].kind {
            case .object, .array: key = Int(tokens[key &+ 1].next)
            default: key &+= 2
            }
        }
        return found
    }

    /// Whether a key spells `wanted`, told without decoding where it has no escape.
    @inline(__always)
    private static func isKey(
        _ key: Int, _ wanted: UnsafeRawBufferPointer, in tokens: UnsafeBufferPointer<JSONToken>,
        text: UnsafeRawBufferPointer
    ) -> Bool {
        let end = Int(tokens[key].end) &- 1
        let start = JSONText.skipGap(in: text, from: Int(tokens[key &- 1].end)) &+ 1
        // An escape is longer than what it stands for.
        guard end &- start >= wanted.count else { return false }
        let name = text[from: start, to: end]
        if name.count == tokens[key].next { return name.hasEqualBytes(to: wanted) }
        return isEscapedKey(name, wanted)
    }

    /// Whether what stands between a key's quotes spells `wanted`, where it may have escapes.
    private static func isEscapedKey(_ name: UnsafeRawBufferPointer, _ wanted: UnsafeRawBufferPointer) -> Bool {
        let string = JSONString(source: name)
        return !string.isLossy && string.text.utf8.elementsEqual(wanted)
    }
}
