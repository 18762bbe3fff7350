import CPlatform

/// Guesses where entries begin in the middle of a file, which only reading from its start can tell for sure.
///
/// An entry is taken to begin where an object between commas has the same first name as the first entry. In JSON the
/// quotation marks of that name cannot stand within a string, where they would be escaped; whether the object is an
/// entry shows when what stands before it has been read.
struct EntryBoundary {
    private static let windowSize = 1 << 16

    /// The most that may stand between two entries and the name, in bytes.
    private static let margin = 1 << 10

    /// The most that a name may take with its quotation marks, in bytes.
    static let maximumNameSize = margin

    private let file: InputFile

    /// The first name of the first entry, in its quotation marks.
    let name: [UInt8]

    /// Whether an entry follows an object and a comma.
    private let followsObject: Bool

    /// Prepares to guess; `nil` when the first entry does not begin with a name.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The place behind the opening bracket of `entries`.
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
        followsObject = true
    }

    /// Prepares to find all objects that begin with some bytes.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - name: The bytes that follow the bracket, such as a name in its quotation marks.
    init(in file: InputFile, before name: [UInt8]) {
        self.file = file
        self.name = name
        followsObject = false
    }

    /// Finds objects also where they do not follow others, as in a broken file.
    var anywhere: EntryBoundary { EntryBoundary(in: file, before: name) }

    /// The place of the first entry at or behind a place, or what seems to be one; `nil` when there is none.
    ///
    /// - Parameters:
    ///   - start: The place.
    ///   - size: How many bytes it is looked for in; to the end of the file by default.
    /// - Returns: The place of its bracket.
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
                !followsObject || Self.followsObject(brace, in: bytes)
            {
                return brace
            }
            rest = bytes[from: quote + name.count]
        }
        return nil
    }

    /// Whether an object and a comma are before a bracket.
    private static func followsObject(_ brace: Int, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard let comma = last(in: bytes[..<brace], is: ",") else { return false }
        return last(in: bytes[..<comma], is: "}") != nil
    }

    /// The place of the last byte that is no white space, where it is that one.
    private static func last(in bytes: Slice<UnsafeRawBufferPointer>, is byte: Unicode.Scalar) -> Int? {
        bytes.lastIndex { !JSONText.isWhitespace($0) }.flatMap { bytes[$0] == UInt8(ascii: byte) ? $0 : nil }
    }
}

/// The text of a file up to its entries.
struct ArchiveHead {
    private static let chunkSize = 1 << 12

    /// How far into a file entries are looked for.
    private static let maximumSize = 1 << 24

    /// The text, with the opening bracket of `entries` at its end.
    let bytes: [UInt8]

    /// Reads the head of a file; `nil` when there are no entries near its start.
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
