/// Guesses where an entry begins, in the midst of an archive: where an object that follows another one has the first key
/// of the archive's first entry.
///
/// A quotation mark behind a bracket is not escaped, so in most texts it stands outside of strings. That the object is one
/// of the archive's entries is not known, for others may look the same.
struct EntryBoundary {
    /// How many bytes the first entry's key is looked for in.
    private static let headSize = 1 << 12

    /// How many bytes a boundary is looked for in: a few at first, more when none is found there.
    private static let searchSizes = [1 << 16, 1 << 20]

    /// The first key with its quotation marks.
    private let key: [UInt8]

    /// Reads the first key of the first entry; `nil` when there is none, or it holds escapes.
    init?(in file: InputFile, firstFrom start: Int) throws(HARError) {
        let head = try Self.read(file, from: start, count: Self.headSize)
        let object = head.drop(while: TextWindow.isWhitespace)
        guard object.first == UInt8(ascii: "{") else { return nil }
        let quoted = object.dropFirst().drop(while: TextWindow.isWhitespace)
        guard quoted.first == UInt8(ascii: "\"") else { return nil }
        guard let end = quoted.dropFirst().firstIndex(of: UInt8(ascii: "\"")) else { return nil }
        key = Array(quoted[...end])
        if key.contains(UInt8(ascii: "\\")) { return nil }
    }

    /// Looks for an entry that begins behind a place of the file, but not far.
    ///
    /// - Returns: The place of its bracket.
    func find(in file: InputFile, from start: Int) throws(HARError) -> Int? {
        for size in Self.searchSizes {
            let text = try Self.read(file, from: start, count: size)
            if let place = text.withUnsafeBytes(find) { return start + place }
            if text.count < size { return nil }
        }
        return nil
    }

    private func find(in text: UnsafeRawBufferPointer) -> Int? {
        var place = 0
        while let quote = text[from: place].firstPlace(of: UInt8(ascii: "\"")) {
            place += quote
            if hasKey(at: place, in: text), let bracket = Self.bracket(before: place, in: text) { return bracket }
            place += 1
        }
        return nil
    }

    private func hasKey(at place: Int, in text: UnsafeRawBufferPointer) -> Bool {
        let end = place + key.count
        return end <= text.count && key.withUnsafeBytes { text[from: place, to: end].hasEqualBytes(to: $0) }
    }

    /// The opening bracket before a place, if it follows a comma, and that a closing one.
    private static func bracket(before place: Int, in text: UnsafeRawBufferPointer) -> Int? {
        func lastPlace(before end: Int, of byte: UInt8) -> Int? {
            let last = text[..<end].lastIndex { !TextWindow.isWhitespace($0) }
            return last.flatMap { text[$0] == byte ? $0 : nil }
        }
        guard let bracket = lastPlace(before: place, of: UInt8(ascii: "{")),
            let comma = lastPlace(before: bracket, of: UInt8(ascii: ",")),
            lastPlace(before: comma, of: UInt8(ascii: "}")) != nil
        else { return nil }
        return bracket
    }

    /// Reads bytes of a file; fewer at its end.
    private static func read(_ file: InputFile, from start: Int, count: Int) throws(HARError) -> [UInt8] {
        let end = min(start + count, file.size ?? 0)
        return start < end ? try file.bytes(in: start..<end) : []
    }
}
