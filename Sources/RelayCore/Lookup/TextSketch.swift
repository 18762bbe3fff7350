/// A small summary of a string for estimating the similarity of two strings.
///
/// A sketch is the set of pairs of adjacent bytes, hashed to 128 bits. Creating and comparing sketches is fast enough
/// to find the most similar strings among a million.
struct TextSketch {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// Creates the sketch of a substring.
    ///
    /// - Parameters:
    ///   - text: The whole string, in UTF-8.
    ///   - range: The byte range of the substring.
    /// - Complexity: O(*n*) in the length of the substring.
    init(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var offset = range.lowerBound
        while offset &+ 1 < range.upperBound {
            // Setting this bit makes ASCII letters case-insensitive.
            let pair = text.loadUnaligned(fromByteOffset: offset, as: UInt16.self) | 0x2020
            let hash = (UInt32(pair) &* 0x9E37_79B1) &>> 25
            let bit: UInt64 = 1 &<< UInt64(hash)
            let highMask: UInt64 = 0 &- UInt64(hash &>> 6)
            low |= bit & ~highMask
            high |= bit & highMask
            offset &+= 1
        }
    }

    /// Returns the similarity of two strings, from 0 to 1,000.
    func similarity(to other: TextSketch) -> Int {
        let common = (low & other.low).nonzeroBitCount + (high & other.high).nonzeroBitCount
        let all = (low | other.low).nonzeroBitCount + (high | other.high).nonzeroBitCount
        return all == 0 ? 1000 : common * 1000 / all
    }
}
