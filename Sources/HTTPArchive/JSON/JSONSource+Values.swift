extension JSONSource {
    /// The text of a string; `nil` for every other value.
    func text(at index: Int) -> String? {
        guard tokens[index].kind == .string else { return nil }
        let size = Int(tokens[index].next)
        return withBytes(ofScalar: index) { quoted in
            let bytes = quoted[from: 1, to: quoted.count - 1]
            let hasEscape = size == 0 ? bytes.firstPlace(of: UInt8(ascii: "\\")) != nil : bytes.count != size
            return String(source: bytes, hasEscape: hasEscape)
        }
    }

    /// The number as an integer; `nil` for every other value, fractions among them.
    func int(at index: Int) -> Int? {
        guard tokens[index].kind == .number else { return nil }
        return withBytes(ofScalar: index) { ShortDecimal($0)?.int }
            ?? JSONNode(source: self, index: index).number.int
    }

    /// The number as a `Double`; `nil` for every other value.
    func double(at index: Int) -> Double? {
        guard tokens[index].kind == .number else { return nil }
        return withBytes(ofScalar: index) { ShortDecimal($0)?.double }
            ?? JSONNode(source: self, index: index).number.double
    }

    /// The boolean; `nil` for every other value.
    func bool(at index: Int) -> Bool? {
        switch tokens[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// The object; `nil` for every other value.
    func object(at index: Int) -> JSONObject? {
        tokens[index].kind == .object ? JSONObject(node: JSONNode(source: self, index: index)) : nil
    }

    /// Calls `body` with the text of a value that is no container.
    @inline(__always)
    private func withBytes<Result>(ofScalar index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { text in
            let start = index == 0 ? 0 : JSONText.skipGap(in: text, from: Int(tokens[index - 1].end))
            return body(text[from: start, to: Int(tokens[index].end)])
        }
    }
}

extension JSONNode {
    /// The text of a string; `nil` for every other value.
    var text: String? { source.text(at: index) }

    /// The number as an integer; `nil` for every other value, fractions among them.
    var int: Int? { source.int(at: index) }

    /// The object; `nil` for every other value.
    var object: JSONObject? { source.object(at: index) }
}
