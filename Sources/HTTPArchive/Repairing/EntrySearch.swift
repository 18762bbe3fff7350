/// Finds the next entry, or the end of the entries, after broken text.
final class EntrySearch {
    private static let chunkSize = 1 << 16

    /// The maximum number of closing brackets to try as the end of the entries.
    private static let maximumTailCount = 200

    /// The maximum size of text in which brackets are matched, in bytes.
    private static let maximumMatchSize = 1 << 24

    private let file: InputFile
    private let size: Int
    private let limits: JSONScanner.Limits

    /// The name of the first member of the first entry as written, or nil before the first entry.
    var opening: [UInt8]?

    private var knownNeedsRequest: Bool?

    /// The number of bytes that may still be read to verify possible entries.
    ///
    /// The number is proportional to the size of the file, so that the total time is, too.
    private var budget: Int

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The size of the file, in bytes.
    ///   - limits: The limits of the reader.
    init(_ file: InputFile, size: Int, limits: JSONScanner.Limits) {
        self.file = file
        self.size = size
        self.limits = limits
        budget = 32 * size + 1 << 24
    }

    /// Returns whether an object must have a member `request` to count as an entry: false if the file has no such name.
    func needsRequest(_ reader: LenientReader) throws(HARError) -> Bool {
        if let knownNeedsRequest { return knownNeedsRequest }
        let isFound = try reader.find(["request"], in: 0..<size) != nil
        knownNeedsRequest = isFound
        return isFound
    }

    // MARK: The next entry

    /// Finds the entry after a broken one.
    ///
    /// - Parameters:
    ///   - position: The offset of the broken entry.
    ///   - reader: The reader of the file.
    /// - Returns: The offset of the next entry, which may be broken as well, or nil if none is found.
    /// - Throws: `unreadableFile`.
    func nextEntry(after position: Int, _ reader: LenientReader) throws(HARError) -> Int? {
        guard position + 1 < size else { return nil }
        // If a quotation mark is missing, brackets in strings are counted as well, so the offset can be past the next
        // entry.
        var following = try offset(of: "{", followingBracketsAt: position)
        let likeFirst = opening.map { EntryBoundary(in: file, before: $0) }
        let anyObject = EntryBoundary(in: file, before: [opening?.first ?? UInt8(ascii: "\"")])
        if let offset = following {
            let beginsLikeFirst = try likeFirst?.find(from: offset, within: 1) == offset
            if try !(isEntry(at: offset, reader) ?? beginsLikeFirst) { following = nil }
        }
        let end = following ?? size
        if let entry = try entry(in: position + 1..<max(end, position + 1), at: likeFirst ?? anyObject, reader) {
            return entry
        }
        if let following { return following }
        return likeFirst == nil ? nil : try entry(in: position + 1..<size, at: anyObject, reader)
    }

    /// Returns whether the object at an offset is an entry, or nil if it is broken.
    private func isEntry(at offset: Int, _ reader: LenientReader) throws(HARError) -> Bool? {
        reader.offset = offset
        let value = try reader.value()
        budget -= value.range.count
        guard value.failure == nil else { return nil }
        if value.hasRequest { return true }
        return try !needsRequest(reader)
    }

    /// Returns the offset of the first valid entry that begins in a range.
    private func entry(
        in range: Range<Int>, at boundary: EntryBoundary, _ reader: LenientReader
    ) throws(HARError) -> Int? {
        var from = range.lowerBound
        while from < range.upperBound, let candidate = try boundary.find(from: from, within: range.upperBound - from),
            candidate < range.upperBound
        {
            if budget < 0 { return candidate }
            if try isEntry(at: candidate, reader) == true { return candidate }
            from = candidate + 1
        }
        return nil
    }

    // MARK: Brackets

    /// Returns the end of a range, excluding trailing separators.
    func end(of range: Range<Int>) throws(HARError) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - Self.chunkSize)
            let chunk = try file.bytes(in: start..<end)
            if let last = chunk.lastIndex(where: { !JSONText.isGap($0) && $0 != 0 }) { return start + last + 1 }
            end = start
        }
        return end
    }

    /// Returns the offset after any whitespace and commas.
    private func separatorsEnd(from start: Int) throws(HARError) -> Int {
        var position = start
        while position < size {
            let chunk = try file.bytes(in: position..<min(position + Self.chunkSize, size))
            let isSeparator = { (byte: UInt8) in JSONText.isWhitespace(byte) || byte == UInt8(ascii: ",") }
            if let index = chunk.firstIndex(where: { !isSeparator($0) }) { return position + index }
            position += chunk.count
        }
        return size
    }

    /// Returns the offset after balanced brackets and separators, or nil if it is not the offset of the given bracket.
    private func offset(of bracket: Unicode.Scalar, followingBracketsAt start: Int) throws(HARError) -> Int? {
        guard let end = try bracketsEnd(from: start) else { return nil }
        let position = try separatorsEnd(from: end)
        guard position < size else { return nil }
        return try file.bytes(in: position..<position + 1) == [UInt8(ascii: bracket)] ? position : nil
    }

    /// Returns the offset after the bracket that matches the one at `start`, examining only brackets and quotation
    /// marks.
    private func bracketsEnd(from start: Int) throws(HARError) -> Int? {
        var position = start
        var depth = 0
        var isInString = false
        var isEscaped = false
        while position < min(size, start + Self.maximumMatchSize), budget > 0 {
            let chunk = try file.bytes(in: position..<min(position + Self.chunkSize, size))
            budget -= chunk.count
            for (index, byte) in chunk.enumerated() {
                if isInString {
                    isInString = byte != UInt8(ascii: "\"") || isEscaped
                    isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                    continue
                }
                switch byte {
                case UInt8(ascii: "\""): isInString = true
                case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
                default: break
                }
                guard depth > 0 else { return byte == UInt8(ascii: "}") && depth == 0 ? position + index + 1 : nil }
            }
            position += chunk.count
        }
        return nil
    }

    // MARK: The end of the entries

    /// Finds the closing bracket of `entries` after a broken entry.
    ///
    /// - Parameters:
    ///   - position: The offset of the broken entry.
    ///   - end: The offset of the next archive, or the size of the file.
    ///   - reader: The reader of the file.
    /// - Returns: The offset of the bracket, or nil if the end is missing or broken.
    /// - Throws: `unreadableFile`.
    func tail(after position: Int, before end: Int, _ reader: LenientReader) throws(HARError) -> Int? {
        if let bracket = try offset(of: "]", followingBracketsAt: position), bracket < end,
            try isTail(at: bracket, before: end, reader)
        {
            return bracket
        }
        let windowStart = max(position, end - 1 << 20)
        let window = try file.bytes(in: windowStart..<max(windowStart, end))
        let brackets = window.indices.reversed().lazy.filter { window[$0] == UInt8(ascii: "]") }
        var found: Int?
        for index in brackets.prefix(Self.maximumTailCount)
        where try isTail(at: windowStart + index, before: end, reader) {
            found = windowStart + index
        }
        return found
    }

    /// Returns whether a bracket is followed only by fields of the log and the document, and by closing braces.
    private func isTail(at bracket: Int, before end: Int, _ reader: LenientReader) throws(HARError) -> Bool {
        guard budget > 0 else { return false }
        reader.offset = bracket + 1
        defer { budget -= reader.offset - bracket }
        var depth = 0
        while depth < 2, let byte = try reader.nextByte(), reader.offset < end {
            switch byte {
            case UInt8(ascii: ","): reader.offset += 1
            case UInt8(ascii: "}"):
                depth += 1
                reader.offset += 1
            default:
                // If fields of an entry follow a bracket, it does not close `entries`.
                guard let name = try reader.name()?.text,
                    ArchiveScan.logNames.contains(name) || !HAR.fieldNames.contains(name),
                    try reader.nextByte() != nil, try reader.value().failure == nil
                else { return false }
            }
        }
        guard depth == 2, reader.offset <= end else { return false }
        let rest = try file.bytes(in: reader.offset..<min(end, reader.offset + Self.chunkSize))
        return !rest.contains { "]}\"".utf8.contains($0) }
    }
}
