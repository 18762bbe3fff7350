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

    /// The index of the token after a value.
    func next(after index: Int) -> Int {
        switch tokens[index].kind {
        case .object, .array: Int(tokens[index].next)
        default: index + 1
        }
    }

    /// Calls `body` with the index of each element of an array.
    @inline(__always)
    func forEachElement(of array: Int, _ body: (Int) -> Void) {
        guard tokens[array].kind == .array else { return }
        var element = array + 1
        while tokens[element].kind != .close {
            body(element)
            element = next(after: element)
        }
    }
}

/// A value inside a source.
struct JSONNode: Sendable {
    let source: JSONSource

    /// The index of the value's first token.
    let index: Int

    var kind: JSONToken.Kind { source.tokens[index].kind }

    /// The index of the token after this value.
    var next: Int { source.next(after: index) }

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
        var nodes: [JSONNode] = []
        source.forEachElement(of: index) { nodes.append(JSONNode(source: source, index: $0)) }
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
}
