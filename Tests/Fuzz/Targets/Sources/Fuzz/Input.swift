import Foundation

/// The bytes of one run: a document, optionally followed by a NUL and numbers that represent choices.
struct Input {
    /// All bytes, for targets that read binary data.
    let bytes: [UInt8]

    let document: [UInt8]
    private let choices: [UInt8]

    init(_ input: some Collection<UInt8>) {
        let bytes = Array(input)
        self.bytes = bytes
        let end = bytes.lastIndex(of: 0)
        document = Array(bytes[..<(end ?? bytes.endIndex)])
        choices = end.map { Array(bytes[bytes.index(after: $0)...]) } ?? []
    }

    /// Returns a choice from `count` options, or the first option if the input has too few numbers.
    func choice(_ index: Int, of count: Int) -> Int { index < choices.count ? Int(choices[index]) % count : 0 }

    /// The document in chunks, whose sizes repeat a sequence from the input.
    ///
    /// By default, each chunk is one byte long, or longer in a long document.
    var pieces: [ArraySlice<UInt8>] {
        let sizes = choices.contains { $0 > 0 } ? choices.map(Int.init) : [1 + document.count / 256]
        var pieces: [ArraySlice<UInt8>] = []
        var rest = document[...]
        while !rest.isEmpty {
            let piece = rest.prefix(sizes[pieces.count % sizes.count])
            pieces.append(piece)
            rest = rest[piece.endIndex...]
        }
        return pieces
    }

    /// The lines of the document.
    var lines: [String] {
        document.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    }
}
