import CJSONScan
package import Foundation

/// A token in the text of a value.
///
/// Tokens are stored in text order. A container consists of an opening token, the tokens inside, and a `close` token.
package struct JSONToken {
    package enum Kind: UInt8 {
        case null, `true`, `false`, number, string, key, object, array, close
    }

    package let kind: Kind

    /// The offset after the token, in bytes from the start of the value.
    package let end: UInt32

    /// For the opening token of a container, the index of the token after its `close` token.
    ///
    /// For a `close` token, the index of the opening token.
    ///
    /// For a string or key, the decoded size in bytes, or 0 if it is unknown.
    var next: UInt32 = 0
}

extension JSONToken.Kind {
    /// The kind of a token of the parser, whose numbers are the same.
    @inline(__always)
    init(_ token: json_token) {
        guard let kind = Self(rawValue: token.kind) else { preconditionFailure("The parser has no such kind.") }
        self = kind
    }

    /// The kind with an indefinite article, as in "found a string".
    package var title: String {
        switch self {
        case .null: "null"
        case .true, .false: "a boolean"
        case .number: "a number"
        case .string, .key: "a string"
        case .object: "an object"
        case .array, .close: "an array"
        }
    }
}

/// The text and the tokens of one JSON value.
///
/// Every parsed value belongs to a source. Values are decoded on demand, and unchanged values are written byte for
/// byte.
package final class JSONSource: Sendable {
    /// The text of the value.
    package let bytes: [UInt8]

    /// The tokens of the value, beginning with the value itself.
    package let tokens: [JSONToken]

    /// The offset of the value in the document from which it was read.
    let offset: Int

    init(bytes: [UInt8], tokens: [JSONToken], offset: Int) {
        self.bytes = bytes
        self.tokens = tokens
        self.offset = offset
    }

    /// The whole value.
    package var root: JSONNode { JSONNode(source: self, index: 0) }

    /// Returns the index of the token after a value.
    package func next(after index: Int) -> Int {
        switch tokens[index].kind {
        case .object, .array: Int(tokens[index].next)
        default: index + 1
        }
    }

    /// Calls `body` with the index of each element of an array.
    @inline(__always)
    package func forEachElement(of array: Int, _ body: (Int) -> Void) {
        guard tokens[array].kind == .array else { return }
        var element = array + 1
        while tokens[element].kind != .close {
            body(element)
            element = next(after: element)
        }
    }
}

extension JSONSource {
    /// Parses a JSON document.
    ///
    /// - Parameters:
    ///   - text: The text after the skipped bytes.
    ///   - skipped: The number of bytes before the text, such as a byte order mark.
    ///   - limits: The maximum size and depth of the document.
    ///   - implementation: The parser to use.
    /// - Returns: The source of the document's value.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded`.
    package static func parsing(
        _ text: some ContiguousBytes, after skipped: Int = 0, limits: JSONScanner.Limits = .document,
        with implementation: JSONParser.Implementation = .standard
    ) throws(HARError) -> JSONSource {
        if let source = JSONSource(container: text, at: skipped, limits: limits, implementation) { return source }
        let scanner = JSONScanner(limits: limits, implementation: implementation)
        scanner.skip(skipped)
        do {
            try scanner.feed(text)
            try scanner.finish()
        } catch {
            throw text.withUnsafeBytes { error.located(in: $0, after: skipped) }
        }
        guard let source = scanner.value else { throw HARError(.malformedJSON, "The text contains no JSON value.") }
        return source
    }

    /// Parses an object or array in memory, without the state that a scanner keeps to explain errors.
    ///
    /// Returns nil if a scanner must find the error, and for other values.
    ///
    /// - Parameters:
    ///   - text: The text, with whitespace around the value if it has any. An array without whitespace is not copied.
    ///   - offset: The offset of the text in the document.
    ///   - limits: The maximum size and depth.
    ///   - implementation: The parser to use.
    convenience init?(
        container text: some ContiguousBytes, at offset: Int, limits: JSONScanner.Limits,
        _ implementation: JSONParser.Implementation = .standard
    ) {
        let captured = text.withUnsafeBytes { bytes in
            Self.tokens(ofContainer: bytes, limits, JSONParser(implementation)).map { tokens, range in
                let array = text as? [UInt8]
                return (tokens, range, array?.count == range.count ? array ?? [] : [UInt8](bytes[range]))
            }
        }
        guard let (tokens, range, bytes) = captured else { return nil }
        self.init(
            bytes: JSONText.withoutOtherWhitespace(bytes), tokens: tokens, offset: offset + range.lowerBound)
    }

    /// Returns the tokens of an object or array and its range in the text, or nil for other text.
    private static func tokens(
        ofContainer text: UnsafeRawBufferPointer, _ limits: JSONScanner.Limits, _ parser: JSONParser
    ) -> (tokens: [JSONToken], range: Range<Int>)? {
        let start = text.prefix(while: JSONText.isWhitespace).count
        guard start < text.count, text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "[") else {
            return nil
        }
        var tokens = TokenBuffer(capacity: min(text.count / 8, 1 << 14))
        var depth = 0
        var partStart = start
        var end: Int?
        while partStart < text.count {
            let part = text[from: partStart, to: min(partStart + JSONParser.smallPartSize, text.count)]
            guard parser.parse(part) else { return nil }
            let found = parser.tokens
            var index = 0
            if end == nil, !found.isEmpty {
                switch tokens.capture(found, from: &index, at: partStart - start, depth: &depth, upTo: limits.depth) {
                case .open: break
                case .complete(let size): end = start + size
                case .tooDeep: return nil
                }
            }
            partStart += part.count
            let size = JSONScanner.Limits.size(of: (end ?? partStart) - start, tokens: tokens.count)
            let pending = text[from: start + Int(tokens.last?.end ?? 0), to: end ?? partStart]
            guard index == found.count, size <= limits.valueSize, !JSONScanner.isLongNumber(pending) else { return nil }
        }
        guard let end, parser.finish(), text[from: end].allSatisfy(JSONText.isWhitespace) else { return nil }
        return (tokens.all, start..<end)
    }

    /// Parses generated text of any depth.
    ///
    /// - Parameter text: The text of one value.
    /// - Returns: The source of the value.
    /// - Throws: `limitExceeded` if it is 4 GiB or larger.
    static func parsing(written text: [UInt8]) throws(HARError) -> JSONSource {
        try parsing(text, limits: .init(valueSize: Int(UInt32.max), depth: .max))
    }
}
