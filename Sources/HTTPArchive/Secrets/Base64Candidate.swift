import Foundation

/// A range of text that may be Base64 in either alphabet (RFC 4648, sections 4 and 5).
struct Base64Candidate {
    /// The minimum number of characters.
    static let least = 16

    /// The range in the text, including padding.
    let range: Range<Int>

    /// Whether the range uses the URL-safe alphabet.
    private let isForURLs: Bool

    private let hasPadding: Bool

    /// Returns the ranges of the text that may be Base64.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    static func runs(in text: UnsafeRawBufferPointer) -> [Base64Candidate] {
        guard text.count >= least else { return [] }
        let classes = classes
        var runs: [Base64Candidate] = []
        var start = 0
        while start < text.count {
            let (end, found) = run(in: text, from: start, classes)
            if end > start { runs += candidates(in: text, start..<end, found) }
            start = max(start + 1, end)
        }
        return runs
    }

    /// Returns the end offset of the run of characters from either alphabet at an offset, and the union of their
    /// classes.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: The offset.
    ///   - classes: The table ``classes``.
    /// - Returns: The end offset, which is `start` if no run begins there, and the classes.
    @inline(__always)
    static func run(in text: UnsafeRawBufferPointer, from start: Int, _ classes: [UInt8]) -> (end: Int, found: UInt8) {
        var end = start
        var found: UInt8 = 0
        while end < text.count, classes[Int(text[end])] != 0 {
            found |= classes[Int(text[end])]
            end &+= 1
        }
        return (end, found)
    }

    /// Returns the whole run as one candidate, or its components if it mixes the alphabets, as a path may do.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - range: The range of a maximal run of characters from either alphabet.
    ///   - found: The union of the classes of these characters; see ``classes``.
    /// - Returns: The candidates, in order.
    static func candidates(in text: UnsafeRawBufferPointer, _ range: Range<Int>, _ found: UInt8) -> [Base64Candidate] {
        if range.count < least { return [] }
        if found & mixed != mixed { return [Base64Candidate(in: text, range, isForURLs: found & 4 != 0)] }
        return text[range].split { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "+") }
            .filter { $0.count >= least }
            .map { Base64Candidate(in: text, $0.startIndex..<$0.endIndex, isForURLs: true) }
    }

    private init(in text: UnsafeRawBufferPointer, _ range: Range<Int>, isForURLs: Bool) {
        var end = range.upperBound
        while end < text.count, end < range.upperBound + 2, text[end] == UInt8(ascii: "=") { end += 1 }
        self.range = range.lowerBound..<end
        self.isForURLs = isForURLs
        hasPadding = end > range.upperBound
    }

    /// Returns the decoded bytes, or nil if the length is invalid.
    func decoded(in text: UnsafeRawBufferPointer) -> [UInt8]? {
        var end = range.upperBound
        while end > range.lowerBound, text[end - 1] == UInt8(ascii: "=") { end -= 1 }
        return Base64.decode(text[from: range.lowerBound, to: end])
    }

    /// Returns the bytes in Base64, with the alphabet and padding of this candidate.
    func encoded(_ bytes: [UInt8]) -> [UInt8] {
        Base64.encode(bytes, isForURLs: isForURLs, hasPadding: hasPadding)
    }

    private static let mixed: UInt8 = 6

    /// The class of each byte: 1 for characters in both alphabets, 2 for characters only in the standard alphabet, 4
    /// for characters only in the URL-safe alphabet, and 0 for all other bytes.
    static let classes: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: "+"), UInt8(ascii: "/"): 2
        case UInt8(ascii: "-"), UInt8(ascii: "_"): 4
        default: byte.isPartOfWord ? 1 : 0
        }
    }
}
