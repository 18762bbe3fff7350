import CPlatform

/// Finds the valid entries and the end of `entries` in a damaged file.
struct EntrySearch {
    private static let chunkSize = 1 << 16

    /// The maximum number of closing brackets to try as the end of the entries.
    private static let maximumTailCount = 200

    let file: InputFile
    let size: Int

    /// The offset just after the opening bracket of `entries`.
    let start: Int

    let limits: JSONScanner.Limits

    /// Whether an object must have a `request` field to count as an entry; false if this field is missing everywhere.
    private let needsRequest: Bool

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - size: The size of the file, in bytes.
    ///   - start: The offset just after the opening bracket of `entries`.
    ///   - limits: The limits of the reader.
    /// - Throws: `unreadableFile`.
    init(_ file: InputFile, size: Int, from start: Int, limits: JSONScanner.Limits) throws(HARError) {
        self.file = file
        self.size = size
        self.start = start
        self.limits = limits
        needsRequest = try Self.contains(Array("\"request\"".utf8), in: file, at: start..<size)
    }

    private static func contains(
        _ text: [UInt8], in file: InputFile, at range: Range<Int>
    ) throws(HARError) -> Bool {
        var position = range.lowerBound
        while range.upperBound - position >= text.count {
            let chunk = try file.bytes(in: position..<min(position + chunkSize, range.upperBound))
            let isFound = chunk.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap { search_find($0, bytes.count, text, text.count) } != nil
            }
            if isFound { return true }
            position += chunk.count - text.count + 1
        }
        return false
    }

    // MARK: Valid entries

    /// Reads the entries from an offset up to the first error.
    ///
    /// If an entry has an extra closing bracket, the members after that bracket can look like entries. Such members are
    /// not reported.
    ///
    /// - Parameters:
    ///   - start: The offset of the first entry, or of the separators before it.
    ///   - take: A closure that receives the summary of each entry.
    /// - Returns: The offset after the last entry and its trailing separators, and whether the closing bracket of
    ///   `entries` was found.
    /// - Throws: `unreadableFile`.
    func read(
        from start: Int, _ take: (HAREntrySummary) -> Void
    ) throws(HARError) -> (end: Int, isClosed: Bool) {
        var end = start
        var bracket: Int?
        // The last entry, and the objects after it that lack the required fields of an entry.
        var last: [(summary: HAREntrySummary, isEntry: Bool)] = []
        try decode(from: start) { event, offset in
            if event == .endEntries { bracket = offset }
            guard case .entry(let entry) = event, let range = entry.fields.byteRange else { return false }
            if isEntry(entry) {
                for (summary, _) in last { take(summary) }
                last = []
            }
            last.append((HAREntrySummary(of: entry, at: range), isEntry(entry)))
            end = range.upperBound
            return true
        }
        if let bracket { end = bracket } else { end = try separatorsEnd(from: end) }
        let isClosed = try bracket.map { offset throws(HARError) in try log(endingAt: offset) != nil } ?? false
        let next = try isClosed ? [] : file.bytes(in: end..<min(end + EntryBoundary.maximumNameSize, size))
        let count = try wholeCount(of: last.map(\.isEntry), before: next)
        for (summary, _) in last[..<count] { take(summary) }
        return count < last.count ? (last[count].summary.byteRange.lowerBound, false) : (end, bracket != nil)
    }

    /// Returns how many of the last entry and the objects after it are intact.
    ///
    /// Only the first object can be an entry. The objects after it lack the required fields, so they may be values
    /// inside a broken entry.
    ///
    /// - Parameters:
    ///   - areEntries: Whether each object has the required fields of an entry.
    ///   - text: The text after the objects, where parsing failed, or an empty array if it did not fail.
    /// - Returns: The number of objects.
    /// - Throws: `unreadableFile`.
    private func wholeCount(of areEntries: [Bool], before text: [UInt8]) throws(HARError) -> Int {
        switch text.first {
        case nil, UInt8(ascii: "{"): return areEntries.count
        case UInt8(ascii: "\"") where areEntries == [true]:
            // The text is either another member of this entry, or the first member of an entry whose opening bracket
            // is missing.
            let name = try EntryBoundary(in: file, firstFrom: start)?.name
            return name.map { text.starts(with: $0) } ?? false ? 1 : 0
        default: return areEntries.firstIndex(of: false) ?? areEntries.count
        }
    }

    private func isEntry(_ entry: HAR.Entry) -> Bool { !needsRequest || entry.fields["request"]?.object != nil }

    /// Returns whether the object at an offset is an entry, or nil if it is broken.
    private func isEntry(at offset: Int) throws(HARError) -> Bool? {
        var isEntry: Bool?
        try decode(from: offset) { event, _ in
            if case .entry(let entry) = event { isEntry = self.isEntry(entry) }
            return false
        }
        return isEntry
    }

    /// Decodes the text after an offset as elements of `entries`, until `take` returns false or an error occurs.
    private func decode(from start: Int, _ take: (HAREvent, Int) -> Bool) throws(HARError) {
        let head = Array(#"{"log":{"entries":["#.utf8)
        let decoder = HARDecoder(limits: limits, file: nil, countsLines: false)
        head.withUnsafeBytes { decoder.feed($0) }
        decoder.skip(start - head.count)
        var position = start
        while true {
            while let event = try? decoder.next() {
                if event == .beginLog || event == .beginEntries { continue }
                guard take(event, decoder.eventOffset ?? position) else { return }
            }
            guard decoder.failure == nil, position < size else { return }
            let chunk = try file.bytes(in: position..<min(position + Self.chunkSize, size))
            chunk.withUnsafeBytes { decoder.feed($0) }
            position += chunk.count
            if position == size { decoder.parseHeld() }
        }
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

    // MARK: Skipping a broken entry

    /// Finds the entry after a broken one.
    ///
    /// - Parameter position: The offset of the broken entry.
    /// - Returns: The offset of the next entry, which may be broken as well, or nil if none is found.
    /// - Throws: `unreadableFile`.
    func nextEntry(after position: Int) throws(HARError) -> Int? {
        guard position + 1 < size else { return nil }
        // If a quotation mark is missing, brackets in strings are counted as well, so the offset can be past the next
        // entry.
        var following = try offset(of: "{", followingBracketsAt: position)
        let anyObject = EntryBoundary(in: file, before: [UInt8(ascii: "\"")])
        let likeFirst = try EntryBoundary(in: file, firstFrom: start)?.anywhere
        if let offset = following {
            let beginsLikeFirst = try likeFirst?.find(from: offset, within: 1) == offset
            if try !(isEntry(at: offset) ?? beginsLikeFirst) { following = nil }
        }
        if let entry = try entry(in: position + 1..<(following ?? size), at: likeFirst ?? anyObject) { return entry }
        if let following { return following }
        return try entry(in: position + 1..<size, at: anyObject)
    }

    /// Returns the offset of the first valid entry that begins in a range.
    private func entry(in range: Range<Int>, at boundary: EntryBoundary) throws(HARError) -> Int? {
        var from = range.lowerBound
        while from < range.upperBound, let candidate = try boundary.find(from: from, within: range.upperBound - from),
            candidate < range.upperBound
        {
            if try isEntry(at: candidate) == true { return candidate }
            from = candidate + 1
        }
        return nil
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
        while position < size {
            let chunk = try file.bytes(in: position..<min(position + Self.chunkSize, size))
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

    // MARK: Finding the end of the entries

    /// Finds the closing bracket of `entries` after a broken entry.
    ///
    /// - Parameter position: The offset of the broken entry.
    /// - Returns: The offset of the bracket and the log without its entries, or nil if the end is missing or broken.
    /// - Throws: `unreadableFile`.
    func tail(after position: Int) throws(HARError) -> (offset: Int, log: HAR.Log)? {
        if let end = try offset(of: "]", followingBracketsAt: position), let log = try log(endingAt: end) {
            return (end, log)
        }
        let windowStart = max(position, size - 1 << 20)
        let window = try file.bytes(in: windowStart..<size)
        let brackets = window.indices.reversed().lazy.filter { window[$0] == UInt8(ascii: "]") }
        var found: (offset: Int, log: HAR.Log)?
        for index in brackets.prefix(Self.maximumTailCount) {
            // If fields of an entry follow a bracket, it does not close `entries`.
            guard let log = try log(endingAt: windowStart + index), !log.hasEntryFields else { continue }
            found = (windowStart + index, log)
        }
        return found
    }

    /// Parses the log without its entries.
    ///
    /// - Parameter end: The offset of the closing bracket of `entries`, or nil to add the missing brackets.
    /// - Returns: The log, or nil if it is invalid.
    /// - Throws: `unreadableFile`.
    func log(endingAt end: Int?) throws(HARError) -> HAR.Log? {
        if let end { return try ArchiveIndex.log(of: file, size: size, around: start..<end, limits: limits) }
        return try ArchiveIndex.log(
            of: file, size: start, around: start..<start, closing: ArchiveTail.brackets, limits: limits)
    }
}

extension HAR.Log {
    /// Whether the log or the document contains fields that only entries have.
    fileprivate var hasEntryFields: Bool {
        let known: Set<String> = ["version", "creator", "browser", "pages", "entries", "comment"]
        return (fields.members + documentFields.members).contains { member in
            HAR.fieldNames.contains(member.name.text) && !known.contains(member.name.text)
        }
    }
}
