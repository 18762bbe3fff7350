import CPlatform

/// Finds offsets in a file where an entry probably starts.
///
/// A probable entry is an object that follows another object and a comma, and whose first member has the same name as
/// the first member of the first entry. A match inside a JSON string is impossible, because quotation marks in a
/// string are escaped. Only a decoder that reads the file from the start can determine whether the object really is an
/// entry.
struct EntryBoundary {
    private static let windowSize = 1 << 16

    /// The maximum number of bytes between two entries, and between an entry's opening bracket and its first name.
    private static let margin = 1 << 10

    private let file: InputFile

    /// The name of the first member of the first entry, including the quotation marks.
    let name: [UInt8]

    /// Creates a boundary from the first entry of a file; returns nil if the entry does not begin with a name.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The offset after the opening bracket of `entries`.
    /// - Throws: `unreadableFile`.
    init?(in file: InputFile, firstFrom start: Int) throws(HARError) {
        var buffer = [UInt8](repeating: 0, count: Self.margin)
        let count = try file.fill(&buffer, at: start)
        let text = buffer[..<count].drop(while: JSONText.isWhitespace)
        guard text.first == UInt8(ascii: "{") else { return nil }
        let quoted = text.dropFirst().drop(while: JSONText.isWhitespace)
        guard quoted.first == UInt8(ascii: "\""), let end = quoted.dropFirst().firstIndex(of: UInt8(ascii: "\"")),
            !quoted[..<end].contains(UInt8(ascii: "\\"))
        else { return nil }
        self.file = file
        name = Array(quoted[...end])
    }

    /// Returns the offset of the first probable entry at or after an offset, or nil if no entry is found.
    ///
    /// - Parameters:
    ///   - start: The offset.
    ///   - size: The number of bytes to search; by default, up to the end of the file.
    /// - Returns: The offset of the opening bracket.
    /// - Throws: `unreadableFile`.
    func find(from start: Int, within size: Int = .max) throws(HARError) -> Int? {
        var buffer = [UInt8](repeating: 0, count: Self.windowSize)
        var windowStart = max(0, start - Self.margin)
        while windowStart - start < size {
            let count = try file.fill(&buffer, at: windowStart)
            let offset = buffer.withUnsafeBytes { find(in: $0[from: 0, to: count], from: start - windowStart) }
            if let offset { return windowStart + offset }
            guard count == Self.windowSize else { return nil }
            windowStart += count - 2 * Self.margin
        }
        return nil
    }

    private func find(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        var rest = bytes
        while let base = rest.baseAddress, let found = search_find(base, rest.count, name, name.count) {
            let quote = bytes.count - rest.count + (found - base)
            if let brace = Self.last(in: bytes[..<quote], is: "{"), brace >= start,
                Self.followsObject(brace, in: bytes)
            {
                return brace
            }
            rest = bytes[from: quote + name.count]
        }
        return nil
    }

    /// Returns whether an object and a comma precede an opening bracket.
    private static func followsObject(_ brace: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let comma = last(in: bytes[..<brace], is: ",") else { return false }
        return last(in: bytes[..<comma], is: "}") != nil
    }

    /// Returns the offset of the last byte that is not whitespace, if it is equal to `byte`.
    private static func last(in bytes: Slice<UnsafeRawBufferPointer>, is byte: Unicode.Scalar) -> Int? {
        bytes.lastIndex { !JSONText.isWhitespace($0) }.flatMap { bytes[$0] == UInt8(ascii: byte) ? $0 : nil }
    }
}

/// The text of a file up to the opening bracket of `entries`.
struct ArchiveHead {
    private static let chunkSize = 1 << 12

    /// The maximum size of the text, in bytes.
    private static let maximumSize = 1 << 24

    /// The text, including the opening bracket of `entries`.
    let bytes: [UInt8]

    /// Reads the head of a file; returns nil if `entries` does not begin within the maximum size.
    init?(of file: InputFile, size: Int, limits: JSONScanner.Limits) throws(HARError) {
        let finder = HARDecoder(limits: limits, file: nil, countsLines: false)
        var bytes: [UInt8] = []
        while bytes.count < min(size, Self.maximumSize) {
            let chunk = try file.bytes(in: bytes.count..<min(bytes.count + Self.chunkSize, size))
            bytes += chunk
            chunk.withUnsafeBytes { finder.feed($0) }
            while let event = try? finder.next() {
                guard event == .beginEntries, let offset = finder.eventOffset else { continue }
                self.bytes = [UInt8](bytes[...offset])
                return
            }
        }
        return nil
    }
}
