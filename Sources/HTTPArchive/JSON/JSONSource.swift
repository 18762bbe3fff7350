import Foundation

/// One token of a value's text: its kind and where it ends.
///
/// Tokens stand in the order of the text. A container is an opening token, the tokens inside, and a `close`.
struct JSONToken {
    enum Kind: UInt8 {
        case null, `true`, `false`, number, string, key, object, array, close
    }

    let kind: Kind

    /// The number of bytes from the start of the value to just after the token.
    let end: UInt32

    /// For a container, the index of the token after its `close`; for a string or key, the number of bytes that it stands
    /// for, or 0 where that is not known.
    var next: UInt32 = 0
}

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

extension JSONSource {
    /// Parses a JSON document.
    ///
    /// - Parameters:
    ///   - text: The text, or what of it follows the bytes that are skipped.
    ///   - skipped: The number of bytes in front, such as those of a byte order mark.
    ///   - limits: How large and how deep the document may be.
    /// - Returns: The document's value, with its place in the text.
    /// - Throws: `malformedJSON`, with offset, line and column; `limitExceeded`.
    static func parsing(
        _ text: some ContiguousBytes, after skipped: Int = 0, limits: JSONScanner.Limits = .init()
    ) throws(HARError) -> JSONSource {
        let scanner = JSONScanner(limits: limits)
        scanner.skip(skipped)
        var parser = JSONParser(scanner: scanner)
        do {
            try parser.feed(text)
            try parser.finish()
        } catch {
            throw text.withUnsafeBytes { error.located(in: $0, after: skipped) }
        }
        guard let source = scanner.value else { throw HARError(.malformedJSON, "There is no JSON value.") }
        return source
    }

    /// Parses text that was put together here, of any depth.
    ///
    /// - Parameter text: The text of one value.
    /// - Returns: The value.
    /// - Throws: `limitExceeded` when it is larger than the places of tokens reach.
    static func parsing(written text: [UInt8]) throws(HARError) -> JSONSource {
        try parsing(text, limits: .init(valueSize: Int(UInt32.max), depth: .max))
    }
}
