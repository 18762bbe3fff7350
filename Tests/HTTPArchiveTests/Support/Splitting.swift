/// A way to split an input, which must not affect the result of reading.
struct Splitting: CustomStringConvertible {
    let description: String
    let pieces: [ArraySlice<UInt8>]

    /// Splits into chunks of one size.
    static func size(_ size: Int, of bytes: [UInt8]) -> Splitting {
        let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
        return Splitting(description: "chunks of \(size)", pieces: pieces)
    }

    /// Splits into two chunks.
    static func at(_ place: Int, of bytes: [UInt8]) -> Splitting {
        Splitting(description: "split at \(place)", pieces: [bytes[..<place], bytes[place...]])
    }

    /// Splits into chunks of every size from one byte to `largest`.
    static func sizes(upTo largest: Int, of bytes: [UInt8]) -> some Sequence<Splitting> {
        (1...max(1, min(largest, bytes.count))).lazy.map { size($0, of: bytes) }
    }

    /// Splits into two chunks at every offset, including the ends, where one chunk is empty.
    static func everywhere(in bytes: [UInt8]) -> some Sequence<Splitting> {
        (0...bytes.count).lazy.map { at($0, of: bytes) }
    }

    /// Splits into chunks of random sizes, including empty ones.
    static func random(of bytes: [UInt8], using generator: inout some RandomNumberGenerator) -> Splitting {
        let places = (0..<Int.random(in: 1...8, using: &generator))
            .map { _ in Int.random(in: 0...bytes.count, using: &generator) }.sorted()
        let pieces = zip([0] + places, places + [bytes.count]).map { bytes[$0..<$1] }
        return Splitting(description: "split at \(places)", pieces: pieces)
    }
}
