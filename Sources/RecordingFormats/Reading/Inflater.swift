import Foundation

/// Decompresses the format DEFLATE (RFC 1951, https://www.rfc-editor.org/rfc/rfc1951).
struct Inflater {
    /// The largest result, in bytes: a recording of some kilobytes could fill the memory otherwise.
    private static let sizeLimit = 1 << 30

    private var input: ArraySlice<UInt8>
    private var bits: UInt32 = 0
    private var bitCount = 0
    private var output: [UInt8] = []

    private init(_ input: ArraySlice<UInt8>) {
        self.input = input
    }

    /// Decompresses data without a frame around it.
    ///
    /// - Returns: `nil` for what is broken, cut off, or more than 1 GiB.
    static func inflated(_ data: ArraySlice<UInt8>) -> [UInt8]? {
        var inflater = Inflater(data)
        return inflater.run() ? inflater.output : nil
    }

    // MARK: Blocks

    private mutating func run() -> Bool {
        while true {
            guard let isLast = take(1), let kind = take(2) else { return false }
            let isRead =
                switch kind {
                case 0: copyStored()
                case 1: copyCompressed(lengths: Self.fixedLengths, distances: Self.fixedDistances)
                case 2: copyDynamic()
                default: false
                }
            guard isRead else { return false }
            if isLast == 1 { return true }
        }
    }

    private mutating func copyStored() -> Bool {
        bits = 0
        bitCount = 0
        guard input.count >= 4 else { return false }
        let header = input.prefix(4).map(Int.init)
        let count = header[0] | header[1] << 8
        guard count ^ 0xFFFF == header[2] | header[3] << 8, input.count >= 4 + count, hasRoom(for: count) else {
            return false
        }
        output += input.dropFirst(4).prefix(count)
        input = input.dropFirst(4 + count)
        return true
    }

    private mutating func copyCompressed(lengths: HuffmanCode, distances: HuffmanCode) -> Bool {
        while let symbol = symbol(of: lengths) {
            if symbol < 256 {
                guard hasRoom(for: 1) else { return false }
                output.append(UInt8(symbol))
                continue
            }
            if symbol == 256 { return true }
            guard symbol - 257 < Self.lengths.count else { return false }
            let (length, lengthBits) = Self.lengths[symbol - 257]
            guard let moreLength = take(lengthBits), let code = self.symbol(of: distances),
                code < Self.distances.count
            else { return false }
            let (distance, distanceBits) = Self.distances[code]
            guard let moreDistance = take(distanceBits) else { return false }
            let start = output.count - distance - moreDistance
            guard start >= 0, hasRoom(for: length + moreLength) else { return false }
            // The source may reach into what is being copied.
            for place in start..<start + length + moreLength { output.append(output[place]) }
        }
        return false
    }

    /// A block with codes of its own (section 3.2.7).
    private mutating func copyDynamic() -> Bool {
        guard let literals = take(5), let distances = take(5), let codes = take(4) else { return false }
        var codeLengths = [Int](repeating: 0, count: 19)
        for place in Self.codeLengthOrder.prefix(codes + 4) {
            guard let length = take(3) else { return false }
            codeLengths[place] = length
        }
        let code = HuffmanCode(lengths: codeLengths)
        var lengths: [Int] = []
        let count = literals + 257 + distances + 1
        while lengths.count < count {
            guard let symbol = symbol(of: code) else { return false }
            switch symbol {
            case 16:
                guard let last = lengths.last, let more = take(2) else { return false }
                lengths += repeatElement(last, count: 3 + more)
            case 17:
                guard let more = take(3) else { return false }
                lengths += repeatElement(0, count: 3 + more)
            case 18:
                guard let more = take(7) else { return false }
                lengths += repeatElement(0, count: 11 + more)
            default: lengths.append(symbol)
            }
        }
        guard lengths.count == count else { return false }
        return copyCompressed(
            lengths: HuffmanCode(lengths: Array(lengths[..<(literals + 257)])),
            distances: HuffmanCode(lengths: Array(lengths[(literals + 257)...])))
    }

    // MARK: Bits

    /// The next bits as a number; `nil` at the end of the data.
    private mutating func take(_ count: Int) -> Int? {
        while bitCount < count {
            guard let byte = input.popFirst() else { return nil }
            bits |= UInt32(byte) << UInt32(bitCount)
            bitCount += 8
        }
        let value = bits & ((1 << UInt32(count)) - 1)
        bits >>= UInt32(count)
        bitCount -= count
        return Int(value)
    }

    private mutating func symbol(of code: HuffmanCode) -> Int? {
        var search = HuffmanCode.Search()
        while let bit = take(1) {
            if let symbol = code.symbol(adding: bit, to: &search) { return symbol }
            if search.length == HuffmanCode.longest { return nil }
        }
        return nil
    }

    private func hasRoom(for count: Int) -> Bool { output.count <= Self.sizeLimit - count }

    // MARK: Tables (sections 3.2.5 to 3.2.7)

    private static let lengths: [(base: Int, bits: Int)] = zip(
        [
            3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
            227, 258,
        ],
        [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0]
    ).map { ($0, $1) }

    private static let distances: [(base: Int, bits: Int)] = {
        var base = 1
        return (0..<30).map { code in
            let bits = max(0, code / 2 - 1)
            defer { base += 1 << bits }
            return (base, bits)
        }
    }()

    private static let codeLengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]

    private static let fixedLengths = HuffmanCode(
        lengths: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })

    private static let fixedDistances = HuffmanCode(lengths: [Int](repeating: 5, count: 30))
}
