import Foundation

/// The bytes of one run: a document, and behind its last NUL, if it has one, the numbers that choose what is done.
struct Input {
    let document: [UInt8]
    private let choices: [UInt8]

    init(_ bytes: some BidirectionalCollection<UInt8>) {
        let end = bytes.lastIndex(of: 0)
        document = Array(bytes[..<(end ?? bytes.endIndex)])
        choices = end.map { Array(bytes[bytes.index(after: $0)...]) } ?? []
    }

    /// A choice among `count`, the first where the input makes none.
    func choice(_ index: Int, of count: Int) -> Int { index < choices.count ? Int(choices[index]) % count : 0 }

    /// The document in pieces of the sizes that the input chooses, over and over; where it chooses none, of one byte,
    /// or of more in a long document.
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
