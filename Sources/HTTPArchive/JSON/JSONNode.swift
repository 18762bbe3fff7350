/// A JSON value or key in a source.
package struct JSONNode: Sendable {
    package let source: JSONSource

    /// The index of the value's first token.
    package let index: Int

    package init(source: JSONSource, index: Int) {
        self.source = source
        self.index = index
    }

    package var kind: JSONToken.Kind { source.tokens[index].kind }

    /// The index of the token after the value.
    package var next: Int { source.next(after: index) }

    /// The range of the value's text in the source.
    package var range: Range<Int> { Self.start(of: index, in: source)..<Int(source.tokens[next - 1].end) }

    /// The range of the value's text in the document from which the source was read.
    package var documentRange: Range<Int> { range.lowerBound + source.offset..<range.upperBound + source.offset }

    /// Calls `body` with the text of the value.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = range
        return source.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// Returns the offset of a token.
    ///
    /// Only whitespace, commas and colons separate it from the previous token.
    private static func start(of index: Int, in source: JSONSource) -> Int {
        guard index > 0 else { return 0 }
        return source.bytes.withUnsafeBytes { JSONText.skipGap(in: $0, from: Int(source.tokens[index - 1].end)) }
    }
}

extension JSONNode {
    /// The decoded string or key.
    package var string: JSONString {
        withBytes { JSONString(source: UnsafeRawBufferPointer(rebasing: $0.dropFirst().dropLast())) }
    }

    /// The number.
    package var number: JSONNumber { JSONNumber(accepted: withBytes { String(decoding: $0, as: UTF8.self) }) }

    /// The value.
    ///
    /// Its objects refer to the source.
    package var value: JSONValue {
        switch kind {
        case .null, .close: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .number: .number(number)
        case .string, .key: .string(string)
        case .array: .array(elements.map(\.value))
        case .object: .object(JSONObject(node: self))
        }
    }

    /// The elements of an array, or an empty array for other values.
    package var elements: [JSONNode] {
        var nodes: [JSONNode] = []
        source.forEachElement(of: index) { nodes.append(JSONNode(source: source, index: $0)) }
        return nodes
    }

    /// Calls `body` with each member of an object until `body` returns `false`.
    ///
    /// Does nothing for other values.
    package func forEachMember(_ body: (_ key: JSONNode, _ value: JSONNode) -> Bool) {
        guard kind == .object else { return }
        var key = JSONNode(source: source, index: index + 1)
        while key.kind == .key {
            let value = JSONNode(source: source, index: key.index + 1)
            guard body(key, value) else { return }
            key = JSONNode(source: source, index: value.next)
        }
    }
}

extension JSONNode {
    /// Calls `body` with each part of the decoded string, without creating the string.
    package func forEachPart(_ body: (UnsafeRawBufferPointer) -> Void) {
        withBytes { quoted in
            _ = JSONString.unescape(UnsafeRawBufferPointer(rebasing: quoted.dropFirst().dropLast()), into: body)
        }
    }

    /// Whether a string or key contains invalid Unicode.
    package var isLossy: Bool { mayContainLossyStrings && string.isLossy }

    /// Whether the value contains invalid UTF-8, or an escape sequence that may be a lone surrogate.
    package var mayContainLossyStrings: Bool {
        withBytes { text in
            text.firstOffset(ofLowercase: Self.surrogate) != nil || !text.isUTF8
        }
    }

    private static let surrogate = Array(#"\ud"#.utf8)

    /// Whether the text of the value is valid UTF-8.
    package var isUTF8: Bool { withBytes { $0.isUTF8 } }

    /// Whether a number is written without a fraction and an exponent.
    package var isPlainInteger: Bool {
        withBytes { !$0.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") } }
    }

    /// Returns whether a string is not empty and consists of characters in a set, written without escape sequences.
    package func isPlain(of set: ByteSet) -> Bool {
        withBytes { $0.count > 2 && set.containsAll(of: $0[from: 1, to: $0.count - 1]) }
    }

    /// Whether a string contains an escape sequence.
    package var hasEscape: Bool { withBytes { $0.firstOffset(of: UInt8(ascii: "\\")) != nil } }
}

extension JSONNode {
    /// Creates a node for a value.
    ///
    /// An unchanged object keeps its original node. Other values are written and parsed again.
    ///
    /// Returns nil if the text would be larger than 4 GiB.
    package init?(_ value: JSONValue) {
        if let node = value.object?.node {
            self = node
        } else {
            let text = JSONGenerator.text(of: value, layout: .unchanged, isIndented: false)
            guard let source = try? JSONSource.parsing(written: text) else { return nil }
            self = source.root
        }
    }
}

extension JSONSource {
    /// Returns the text of a string, or nil for any other value.
    func text(at index: Int) -> String? {
        guard tokens[index].kind == .string else { return nil }
        let plain = bytes.withUnsafeBytes { text in
            Self.plainText(of: tokens[index], in: text).map { String(source: $0, hasEscape: false) }
        }
        return plain
            ?? withBytes(ofScalar: index) { quoted in
                let bytes = quoted[from: 1, to: quoted.count - 1]
                return String(source: bytes, hasEscape: bytes.firstOffset(of: UInt8(ascii: "\\")) != nil)
            }
    }

    /// Returns the bytes of a string, or nil for any other value.
    func textBytes(at index: Int) -> [UInt8]? {
        guard tokens[index].kind == .string else { return nil }
        return withBytes(ofScalar: index) { JSONString.unescaped($0[from: 1, to: $0.count - 1]) }
    }

    /// Returns the first bytes of a string, at least 64 if it has so many, or nil for any other value.
    func textStart(at index: Int) -> [UInt8]? {
        guard tokens[index].kind == .string else { return nil }
        return withBytes(ofScalar: index) { JSONString.start(of: $0[from: 1, to: $0.count - 1]) }
    }

    /// Returns a number, or a string that is a number, as an integer, or nil for any other value, including fractions.
    func int(at index: Int) -> Int? {
        tokens[index].kind == .number ? withBytes(ofScalar: index, JSONNumber.int(of:)) : writtenNumber(at: index)?.int
    }

    /// Returns a number, or a string that is a number, as a `Double`, or nil for any other value.
    func double(at index: Int) -> Double? {
        tokens[index].kind == .number
            ? withBytes(ofScalar: index, JSONNumber.double(of:)) : writtenNumber(at: index)?.double
    }

    /// Returns the number in a string, or nil for any other value.
    private func writtenNumber(at index: Int) -> JSONNumber? { text(at: index).flatMap { JSONNumber(string: $0.utf8) } }

    /// Returns a boolean, or nil for any other value.
    func bool(at index: Int) -> Bool? {
        switch tokens[index].kind {
        case .true: true
        case .false: false
        default: nil
        }
    }

    /// Returns an object, or nil for any other value.
    func object(at index: Int) -> JSONObject? {
        tokens[index].kind == .object ? JSONObject(node: JSONNode(source: self, index: index)) : nil
    }

    /// Calls `body` with the text of a scalar.
    @inline(__always)
    func withBytes<Result>(ofScalar index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { text in
            let start = index == 0 ? 0 : JSONText.skipGap(in: text, from: Int(tokens[index - 1].end))
            return body(text[from: start, to: Int(tokens[index].end)])
        }
    }
}

extension JSONNode {
    /// The text of a string, or nil for any other value.
    package var text: String? { source.text(at: index) }

    /// The number, or string that is a number, as an integer, or nil for any other value, including fractions.
    package var int: Int? { source.int(at: index) }

    /// The number, or string that is a number, as the nearest `Double`, or nil for any other value.
    package var double: Double? { source.double(at: index) }
}

extension JSONNode {
    /// The text of the value without whitespace, and with each string escaped as ``JSONGenerator`` escapes it.
    ///
    /// The text is copied in long parts, because most strings need no change.
    var compactText: [UInt8] {
        source.bytes.withUnsafeBytes { text in
            source.tokens.withUnsafeBufferPointer { tokens in
                let range = range
                var compact: [UInt8] = []
                compact.reserveCapacity(range.count)
                // The start of the text that has not been copied, and the end of the last token.
                var (copied, end) = (range.lowerBound, range.lowerBound)
                for token in tokens[index..<next] {
                    let start = JSONText.skipGap(in: text, from: end)
                    if end < start {
                        // Most gaps are a comma or a colon, possibly followed by whitespace.
                        let separator = JSONText.isWhitespace(text[end]) ? end : end &+ 1
                        if separator < start {
                            compact.append(contentsOf: text[copied..<separator])
                            for byte in text[separator..<start] where !JSONText.isWhitespace(byte) {
                                compact.append(byte)
                            }
                            copied = start
                        }
                    }
                    end = Int(token.end)
                    guard token.kind == .string || token.kind == .key else { continue }
                    let string = text[from: start &+ 1, to: end &- 1]
                    guard string.count != token.next, !Self.isCompact(string) else { continue }
                    let value = JSONValue.string(JSONString(source: string))
                    compact.append(contentsOf: text[copied..<start])
                    compact.append(contentsOf: JSONGenerator.text(of: value, layout: .compact))
                    copied = end
                }
                compact.append(contentsOf: text[copied..<end])
                return compact
            }
        }
    }

    /// Returns whether all escape sequences in a string are those that ``JSONGenerator`` writes.
    ///
    /// Returns `false` for every Unicode escape sequence, because most of them are unnecessary.
    private static func isCompact(_ string: UnsafeRawBufferPointer) -> Bool {
        var offset = 0
        while let backslash = string[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
            let letter = string[offset &+ backslash &+ 1]
            if letter == UInt8(ascii: "/") || letter == UInt8(ascii: "u") { return false }
            offset &+= backslash &+ 2
        }
        return true
    }
}
