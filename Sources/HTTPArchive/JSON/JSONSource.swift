/// The text of one JSON value, and where its tokens stand.
///
/// Every object, array and string read from a file is a place in such a source. Nothing is decoded before it is asked
/// for, and what nobody changes is written back as these bytes.
final class JSONSource: Sendable {
    /// The text of the value.
    let bytes: [UInt8]

    /// The tokens of the value, the first being the value itself.
    let tokens: [JSONToken]

    /// The number of bytes before the value in the document it was read from.
    let offset: Int

    init(bytes: [UInt8], tokens: [JSONToken], offset: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.offset = offset
    }

    /// The whole value.
    var root: JSONNode { JSONNode(source: self, index: 0) }
}

/// A value inside a source.
struct JSONNode: Sendable {
    let source: JSONSource

    /// The index of the value's first token.
    let index: Int

    var kind: JSONToken.Kind { source.tokens[index].kind }

    /// The index of the token after this value.
    var next: Int {
        switch kind {
        case .object, .array: Int(source.tokens[index].next)
        default: index + 1
        }
    }

    /// The place of the value's text in the source.
    var range: Range<Int> { Self.start(of: index, in: source)..<Int(source.tokens[next - 1].end) }

    /// The place of the value's text in the document that the source was read from.
    var documentRange: Range<Int> { range.lowerBound + source.offset..<range.upperBound + source.offset }

    /// Calls `body` with the text of the value.
    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let range = range
        return source.bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The place where a token starts: after the token before it, white space, and a comma or a colon.
    private static func start(of index: Int, in source: JSONSource) -> Int {
        guard index > 0 else { return 0 }
        return source.bytes.withUnsafeBytes { JSONText.skipGap(in: $0, from: Int(source.tokens[index - 1].end)) }
    }
}

extension JSONNode {
    /// The decoded string or key.
    var string: JSONString {
        withBytes { JSONString(source: UnsafeRawBufferPointer(rebasing: $0.dropFirst().dropLast())) }
    }

    /// The number.
    var number: JSONNumber { JSONNumber(accepted: withBytes { String(decoding: $0, as: UTF8.self) }) }

    /// The value; objects inside stay places in the source.
    var value: JSONValue {
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

    /// The elements of an array; none for other values.
    var elements: [JSONNode] {
        guard kind == .array else { return [] }
        var nodes: [JSONNode] = []
        var node = JSONNode(source: source, index: index + 1)
        while node.kind != .close {
            nodes.append(node)
            node = JSONNode(source: source, index: node.next)
        }
        return nodes
    }

    /// Calls `body` with each member of an object, until it returns `false`.
    func forEachMember(_ body: (_ key: JSONNode, _ value: JSONNode) -> Bool) {
        guard kind == .object else { return }
        var key = JSONNode(source: source, index: index + 1)
        while key.kind == .key {
            let value = JSONNode(source: source, index: key.index + 1)
            guard body(key, value) else { return }
            key = JSONNode(source: source, index: value.next)
        }
    }

    /// The value of the last member of that name, as JSON parsers take it when a name stands twice.
    subscript(name: String) -> JSONNode? {
        guard kind == .object else { return nil }
        var name = name
        let found = name.withUTF8 { wanted in
            source.tokens.withUnsafeBufferPointer { tokens in
                source.bytes.withUnsafeBytes { Self.member(wanted, of: index, in: tokens, text: $0) }
            }
        }
        return found.map { JSONNode(source: source, index: $0) }
    }

    /// The index of a member's value.
    private static func member(
        _ wanted: UnsafeBufferPointer<UInt8>, of object: Int, in tokens: UnsafeBufferPointer<JSONToken>,
        text: UnsafeRawBufferPointer
    ) -> Int? {
        var found: Int?
        var key = object + 1
        while tokens[key].kind == .key {
            let room = Int(tokens[key].end - tokens[key - 1].end)
            // An escape is longer than what it stands for; no byte is looked at where there is too little room.
            if room >= wanted.count + 2 {
                let start = JSONText.skipGap(in: text, from: Int(tokens[key - 1].end)) + 1
                if isKey(text[from: start, to: Int(tokens[key].end) - 1], UnsafeRawBufferPointer(wanted)) {
                    found = key + 1
                }
            }
            switch tokens[key + 1].kind {
            case .object, .array: key = Int(tokens[key + 1].next)
            default: key += 2
            }
        }
        return found
    }

    /// Whether what stands between a key's quotes spells `wanted`, told without decoding where it has no escape.
    private static func isKey(_ text: UnsafeRawBufferPointer, _ wanted: UnsafeRawBufferPointer) -> Bool {
        guard text.count >= wanted.count else { return false }
        if text.count == wanted.count, text.hasEqualBytes(to: wanted) {
            // Equal bytes with an escape among them are equal only as long as they are not decoded.
            return text.firstPlace(of: UInt8(ascii: "\\")) == nil
        }
        guard text.count > wanted.count, text.firstPlace(of: UInt8(ascii: "\\")) != nil else { return false }
        let string = JSONString(source: text)
        return !string.isLossy && string.text.utf8.elementsEqual(wanted)
    }
}
