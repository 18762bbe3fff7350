import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

/// Checks that all parsers find the same values, tokens and errors, regardless of how a text is divided.
@Suite(.limited) struct JSONParserTests {
    /// The value or the error of a text.
    private struct Outcome: Equatable {
        var kinds: [JSONToken.Kind] = []
        var ends: [UInt32] = []
        var links: [UInt32] = []
        var bytes: [UInt8] = []

        /// The code and the location of the error.
        var location: String?

        /// The message of the error.
        ///
        /// If a text is divided within a character, the message contains its first byte instead of the character.
        var message: String?

        init(
            _ pieces: [ArraySlice<UInt8>], limits: JSONScanner.Limits = .init(),
            _ implementation: JSONParser.Implementation
        ) {
            self.init { () throws(HARError) in
                let scanner = JSONScanner(limits: limits, countsLines: true, implementation: implementation)
                for piece in pieces { try scanner.feed(piece) }
                try scanner.finish()
                return scanner.value
            }
        }

        init(
            inMemory text: [UInt8], limits: JSONScanner.Limits = .init(), _ implementation: JSONParser.Implementation
        ) {
            self.init { () throws(HARError) in try JSONSource.parsing(text, limits: limits, with: implementation) }
        }

        private init(_ read: () throws(HARError) -> JSONSource?) {
            do throws(HARError) {
                let source = try read()
                kinds = source?.tokens.map(\.kind) ?? []
                ends = source?.tokens.map(\.end) ?? []
                // The size of a string is unknown if a part of the text ends within it.
                links = source?.tokens.filter { $0.kind == .object || $0.kind == .array }.map(\.next) ?? []
                bytes = source?.bytes ?? []
            } catch {
                location = "\(error.code) \(error.context)"
                message = error.message
            }
        }
    }

    private static let pieces: [[UInt8]] =
        [
            "{", "}", "[", "]", ",", ":", "\"", #""a""#, #"{"k":"#, "[1,2]", #"\"#, #"\n"#, #"\""#, #"\u00e9"#,
            #"\u12"#,
            "u", "true", "tru", "false", "null", "nul", "1", "-", "0", "01", "1.5", ".", "e", "E+3", " ", "\n", "\u{C}",
            "\u{B}", "\u{1F}", "\u{1A}", "é", "\u{FEFF}", "/", "'", "NaN", #"{"log":{"entries":["#,
        ].map { Array($0.utf8) } + [[0xFF], [0xC3], [0x00]]

    /// Returns valid or nearly valid JSON, or tokens in any order.
    private static func text(using generator: inout SeededGenerator) -> [UInt8] {
        if Int.random(in: 0..<3, using: &generator) == 0 {
            return (0..<Int.random(in: 1...25, using: &generator)).flatMap { _ in
                pieces.randomElement(using: &generator) ?? []
            }
        }
        var random = RandomJSON(seed: generator.next())
        var text = Array(random.document(random.pick(RandomJSON.Layout.allCases)).utf8)
        for _ in 0..<Int.random(in: 0...2, using: &generator) where !text.isEmpty {
            let index = Int.random(in: text.indices, using: &generator)
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: text.remove(at: index)
            case 1: text.removeSubrange(index...)
            default: text.insert(contentsOf: pieces.randomElement(using: &generator) ?? [], at: index)
            }
        }
        return text
    }

    @Test(arguments: 0..<8)
    func `all parsers have the same result for any text, divided at any offsets`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Cases.count(300, orAll: 3000) {
            let text = Self.text(using: &generator)
            let whole = Outcome([text[...]], .standard)
            for implementation in JSONParser.Implementation.allCases {
                #expect(Outcome([text[...]], implementation) == whole, "\(String(decoding: text, as: UTF8.self))")
                #expect(Outcome(inMemory: text, implementation) == whole, "\(String(decoding: text, as: UTF8.self))")
                let splitting = Splitting.random(of: text, using: &generator)
                let divided = Outcome(splitting.pieces, implementation)
                #expect(divided == Outcome(splitting.pieces, .standard), "\(implementation), \(splitting)")
                var anywhere = whole
                anywhere.message = divided.message
                #expect(divided == anywhere, "\(implementation), \(splitting)")
            }
        }
    }
    @Test(arguments: JSONParser.Implementation.allCases)
    func `a text in memory has the same limits as one in parts`(implementation: JSONParser.Implementation) {
        let deep = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let number = String(repeating: "7", count: JSONScanner.maximumNumberSize)
        let string = "\"" + String(repeating: "é\\n", count: 5000) + "\""
        let space = String(repeating: " \r\n\t", count: 5000)
        let texts = [
            deep, "[" + deep + "]", " \n{\"a\": [\(string), {}]}\t", "[\(string), \(string)", "\u{B}[1,\u{C}2]",
            "[] []",
            "[] tru", "[\(string), \(number)]", "[\(string), \(number)8\(number)]", "{\"a\": -\(number)8}",
            "\(space){\(space)\"a\"\(space): \(string)}\(space)", "\(space)]", space,
            "[" + String(repeating: "1,", count: 50_000) + "1]", string, "12", "",
        ]
        for text in texts.map({ Array($0.utf8) }) {
            for limits in [JSONScanner.Limits(), .init(valueSize: 30_000), .init(valueSize: 8, depth: 1)] {
                let divided = Outcome([text[...]], limits: limits, implementation)
                #expect(
                    Outcome(inMemory: text, limits: limits, implementation) == divided,
                    "\(String(decoding: text.prefix(40), as: UTF8.self)), \(limits)")
            }
        }
    }
}
