import Foundation

@testable import HTTPArchive

/// Reads the document with every parser, as JSON and as an archive, as a whole, in chunks, and in memory.
///
/// The values and the errors must be equal.
func checkParsers(_ input: Input) {
    let whole = valueOrError { () throws(HARError) in
        try scanned([input.document[...]], .standard)
    }
    for parser in JSONParser.Implementation.allCases {
        let value = valueOrError { () throws(HARError) in
            try JSONSource.parsing(input.document, limits: .init(), with: parser)
        }
        expectEqual(value, whole, "in memory with the parser \(parser)")
    }
    for chunks in [[input.document[...]], input.pieces] {
        let expected = ParserOutcome(chunks, .standard)
        for parser in JSONParser.Implementation.allCases {
            expectEqual(ParserOutcome(chunks, parser), expected, "\(chunks.count) chunks with the parser \(parser)")
        }
    }
}

private func scanned(
    _ chunks: [ArraySlice<UInt8>], _ parser: JSONParser.Implementation
) throws(HARError) -> JSONSource? {
    let scanner = JSONScanner(limits: .init(), countsLines: true, implementation: parser)
    for chunk in chunks { try scanner.feed(chunk) }
    try scanner.finish()
    return scanner.value
}

/// Returns the tokens of a value, or the text of an error.
private func valueOrError(_ read: () throws(HARError) -> JSONSource?) -> [String] {
    do throws(HARError) {
        return try read()?.tokens.map { "\($0.kind) \($0.end)" } ?? []
    } catch {
        return ["\(error.code) \(error.message) \(error.context)"]
    }
}

/// The value, the entries and the errors of a document.
private struct ParserOutcome: Equatable {
    let value: [String]
    var events: [HAREvent] = []
    var errors: [String] = []

    init(_ chunks: [ArraySlice<UInt8>], _ parser: JSONParser.Implementation) {
        value = valueOrError { () throws(HARError) in try scanned(chunks, parser) }
        let decoder = HARDecoder(limits: .init(), file: nil, implementation: parser)
        do throws(HARError) {
            for chunk in chunks {
                chunk.withUnsafeBytes { decoder.feed($0) }
                while let event = try decoder.next() { events.append(event) }
            }
            decoder.finish()
            while let event = try decoder.next() { events.append(event) }
        } catch {
            errors.append("\(error.code) \(error.message) \(error.context)")
        }
    }
}
