/// Numbers and texts as a kept index has them: little endian, one after the other.
struct IndexBytes {
    /// What was appended.
    private(set) var bytes: [UInt8] = []

    /// Appends a number.
    mutating func append(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// Appends a number, whose bits are kept.
    mutating func append(_ number: Double) { append(number.bitPattern) }

    /// Appends bytes as they are.
    mutating func append(text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    /// Appends texts: the size of each, -1 for one that is not there, then all of them.
    mutating func append(texts: [String?]) {
        for text in texts { append(text?.utf8.count ?? -1) }
        for text in texts { append(text: (text ?? "").utf8) }
    }

    /// Forgets all bytes, and begins a part, which has its size in front.
    mutating func beginPart() {
        bytes.removeAll(keepingCapacity: true)
        append(0)
    }

    /// Appends zeros up to the end of the block, so that parts can be hashed by themselves, and fills in the size.
    mutating func finishPart() {
        let blockSize = ContentHash.blockSize
        fill(to: (bytes.count + blockSize - 1) / blockSize * blockSize)
        withUnsafeBytes(of: bytes.count.littleEndian) { bytes.replaceSubrange(0..<$0.count, with: $0) }
    }

    /// Appends zeros up to a size.
    mutating func fill(to size: Int) { append(text: repeatElement(0, count: max(0, size - bytes.count))) }
}
