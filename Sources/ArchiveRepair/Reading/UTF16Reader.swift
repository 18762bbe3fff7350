import HTTPArchive

/// Converts a file from UTF-16 to UTF-8.
struct UTF16Reader {
    /// The order of the bytes in a code unit.
    enum ByteOrder { case bigEndian, littleEndian }

    private static let chunkSize = 1 << 16

    private let file: InputFile
    private let order: ByteOrder
    private var offset = 0

    /// Returns the byte order of a file in UTF-16, or nil for other text and files that cannot be read at any offset.
    ///
    /// JSON begins with two ASCII characters, or with a byte order mark.
    static func byteOrder(of file: Result<InputFile, HARError>) throws(HARError) -> ByteOrder? {
        guard let file = try? file.get(), file.size != nil else { return nil }
        var start: [UInt8] = [1, 1, 1, 1]
        guard try file.fill(&start, at: 0) == start.count else { return nil }
        switch (start[0], start[1], start[2], start[3]) {
        case (0xFF, 0xFE, 0, 0): return nil  // UTF-32
        case (0xFE, 0xFF, _, _), (0, 1..., 0, 1...): return .bigEndian
        case (0xFF, 0xFE, _, _), (1..., 0, 1..., 0): return .littleEndian
        default: return nil
        }
    }

    /// Returns a temporary file with the text in UTF-8.
    static func file(from file: InputFile, _ order: ByteOrder) throws(HARError) -> InputFile {
        var reader = UTF16Reader(file: file, order: order)
        return try InputFile(copyNamed: file.name) { buffer throws(HARError) in try reader.read(into: buffer) }
    }

    private init(file: InputFile, order: ByteOrder) {
        self.file = file
        self.order = order
    }

    /// Converts the next text, and returns its size in UTF-8, or 0 at the end of the file.
    ///
    /// A surrogate without its counterpart becomes U+FFFD.
    private mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int {
        var bytes = [UInt8](repeating: 0, count: min(Self.chunkSize, buffer.count / 4))
        let count = try file.fill(&bytes, at: offset)
        var units: [UInt16] = []
        units.reserveCapacity(count / 2)
        for index in stride(from: 0, to: count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(order == .bigEndian ? first << 8 | second : second << 8 | first)
        }
        // The next text begins with the surrogate, because its counterpart can follow.
        if units.count > 1, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        offset += 2 * units.count
        let text = Array(String(decoding: units, as: UTF16.self).utf8)
        buffer.copyBytes(from: text)
        return text.count
    }
}
