import Foundation

@testable import HTTPArchive

/// Reads the document with every parser, as JSON and as an archive, as a whole and in chunks.
///
/// The values and the errors must be equal.
func checkParsers(_ input: Input) {
    for chunks in [[input.document[...]], input.pieces] {
        let expected = ParserOutcome(chunks, .standard)
        for parser in JSONParser.Implementation.allCases {
            expectEqual(ParserOutcome(chunks, parser), expected, "\(chunks.count) chunks with the parser \(parser)")
        }
    }
}

/// The value, the entries and the errors of a document.
private struct ParserOutcome: Equatable {
    var tokens: [String] = []
    var events: [HAREvent] = []
    var errors: [String] = []

    init(_ chunks: [ArraySlice<UInt8>], _ parser: JSONParser.Implementation) {
        let scanner = JSONScanner(limits: .init(), countsLines: true, implementation: parser)
        do throws(HARError) {
            for chunk in chunks { try scanner.feed(chunk) }
            try scanner.finish()
            tokens = scanner.value?.tokens.map { "\($0.kind) \($0.end)" } ?? []
        } catch {
            errors.append("\(error.code) \(error.message) \(error.context)")
        }
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
