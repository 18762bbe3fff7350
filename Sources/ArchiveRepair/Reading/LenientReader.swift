import HTTPArchive

/// Reads JSON-like text from a file part by part, so that memory use depends only on the largest value.
final class LenientReader {
    private static let windowSize = 1 << 18

    /// The number of bytes before the requested text to keep in memory.
    private static let margin = 1 << 12

    /// The maximum size of a name with its quotation marks and the whitespace around it, in bytes.
    private static let maximumNameSize = 1 << 10

    /// The result of reading a value.
    struct Value {
        /// The range of the value in the file, or the range up to the error.
        let range: Range<Int>

        /// Whether the text of the value is not strict JSON.
        let isEdited: Bool

        /// The fields of HAR in the value.
        let names: HARNames

        /// The reason why the value cannot be read, or nil.
        let failure: LenientScanner.Stop?

        /// The first archive in the value, or the first entry inside another value, or nil.
        let landmark: LenientScanner.Landmark?

        /// The offset from which to search for other values if this one cannot be read.
        let resume: Int

        /// The number of containers that were not closed.
        let depth: Int

        /// Whether the value is an object with a member `request`.
        var hasRequest: Bool { names.contains(.request) }

        /// The offset of the first entry inside the value, or nil if it contains none.
        var innerEntry: Int? {
            guard let landmark, !landmark.isArchive, landmark.start > range.lowerBound else { return nil }
            return landmark.start
        }

        /// Whether the value is the document or the log of an archive.
        var isArchive: Bool { landmark?.start == range.lowerBound && !hasRequest }
    }

    let file: InputFile

    /// The size of the file in bytes, or of the part that is read.
    let size: Int

    let limits: JSONScanner.Limits

    /// The offset of the next byte to read.
    var offset = 0

    /// A closure that is called for a change between values, with its reason and offset.
    var onEdit: (RepairNote.Kind, Int) -> Void = { _, _ in }

    /// The end of the text that was read without using the value.
    ///
    /// A value that begins before this offset ends at a landmark before it, so that no text is read again and again.
    private var unusedEnd = 0

    /// The number of bytes that were scanned outside of comments, which tests compare with the size of the file.
    private(set) var scannedByteCount = 0

    private let comments = CommentSearch()
    private var window: UnsafeMutableRawBufferPointer
    private var windowStart = 0
    private var windowCount = 0

    /// Creates a reader for a file.
    ///
    /// - Parameters:
    ///   - file: The file, which must allow access at any offset.
    ///   - size: The number of bytes to read.
    ///   - limits: The limits of the reader.
    init(_ file: InputFile, size: Int, limits: JSONScanner.Limits) {
        self.file = file
        self.size = size
        self.limits = limits
        window = .allocate(byteCount: Self.windowSize, alignment: 16)
    }

    deinit { window.deallocate() }

    /// Releases the memory for the text.
    ///
    /// The reader can no longer be used.
    func close() {
        onEdit = { _, _ in }
        (windowStart, windowCount) = (0, 0)
        window.deallocate()
        window = .allocate(byteCount: 0, alignment: 16)
    }

    // MARK: Parts

    /// Skips whitespace and comments, and returns the next byte, or nil at the end of the file.
    func nextByte() throws(HARError) -> UInt8? {
        var count = 1 << 10
        while true {
            let start = offset
            var scanner = scanner(try text(from: start, count: count), from: start, collectsEdits: true)
            let stop = scanner.scan(.gap)
            offset = start + scanner.offset
            reportEdits(of: scanner, from: start)
            // A comment can be larger than the requested text.
            if stop == .incomplete, scanner.offset == 0, count < Self.windowSize {
                count = Self.windowSize
            } else if stop != .incomplete || scanner.offset == 0 {
                return offset < size ? scanner.text[scanner.offset] : nil
            }
        }
    }

    private func reportEdits(of scanner: LenientScanner, from start: Int) {
        for edit in scanner.edits { onEdit(edit.kind, start + Int(edit.start)) }
    }

    /// Reads a name and the colon after it.
    ///
    /// - Returns: The name, or nil if the text is something else. The offset is then unchanged.
    func name() throws(HARError) -> JSONString? {
        var count = 1 << 10
        while true {
            let text = try text(from: offset, count: count)
            var scanner = scanner(text, from: offset, collectsEdits: true)
            let stop = scanner.scan(.name)
            scannedByteCount += scanner.offset - scanner.commentByteCount
            if stop == .incomplete, count < Self.windowSize {
                count *= 4
                continue
            }
            guard stop == nil else { return nil }
            let strict = LenientText(text[from: 0, to: scanner.offset], scanner.edits).bytes
            guard let value = try? JSONSource.parsing([UInt8(ascii: "{")] + strict + Array("0}".utf8)),
                let member = value.root.value.object?.members.first
            else { return nil }
            reportEdits(of: scanner, from: offset)
            offset += scanner.offset
            return member.name
        }
    }

    /// Reads a value.
    ///
    /// - Parameter stopsAtLandmark: Whether to stop at the first archive or entry inside the value; false by default.
    /// - Returns: The value. If it cannot be read, the offset is unchanged.
    /// - Throws: `unreadableFile`.
    func value(stopsAtLandmark: Bool = false) throws(HARError) -> Value {
        var count = Self.windowSize / 4
        let limit = stopsAtLandmark ? Int.max : max(0, unusedEnd - offset)
        while true {
            var scanner = scanner(try text(from: offset, count: count), from: offset, landmarkLimit: limit)
            var stop = scanner.scan(.value)
            scannedByteCount += scanner.offset - scanner.commentByteCount
            if stop == .incomplete {
                if count < limits.valueSize {
                    count = min(4 * count, limits.valueSize + 1)
                    continue
                }
                stop = .tooLarge
            }
            let start = offset
            let range = start..<start + scanner.offset
            let value = Value(
                range: range, isEdited: scanner.isEdited, names: scanner.names, failure: stop,
                landmark: scanner.landmark.map {
                    .init(start: start + $0.start, isArchive: $0.isArchive, depth: $0.depth)
                },
                resume: start + scanner.resume, depth: scanner.depth)
            if stop == nil { offset = range.upperBound }
            if stop != nil || value.isArchive { unusedEnd = max(unusedEnd, range.upperBound) }
            return value
        }
    }

    /// Returns a value as JSON.
    ///
    /// - Parameter value: A value that could be read.
    /// - Returns: The value and its text, or nil if the file was changed.
    /// - Throws: `unreadableFile`.
    func json(_ value: Value) throws(HARError) -> (value: JSONValue, text: LenientText)? {
        guard let text = LenientScanner.strict(try file.bytes(in: value.range), limits: limits),
            let source = try? JSONSource.parsing(text.bytes, limits: limits)
        else { return nil }
        return (source.root.value, text)
    }

    /// Returns the error for a value that exceeds a limit, or nil.
    func limitError(_ value: Value) -> HARError? {
        switch value.failure {
        case .tooLarge: limits.tooLarge(at: .init(file: file.name, byteOffset: value.range.lowerBound))
        case .tooDeep: limits.tooDeep(at: .init(file: file.name, byteOffset: value.range.upperBound))
        default: nil
        }
    }

    // MARK: Looking ahead

    /// Returns whether an incomplete entry or field contains the start of another archive or entry.
    ///
    /// - Parameter start: The end of the text before the entry or field.
    /// - Returns: Whether it does.
    /// - Throws: `unreadableFile`.
    func findsLandmark(after start: Int) throws(HARError) -> Bool {
        offset = start
        while try nextByte() == UInt8(ascii: ",") { offset += 1 }
        _ = try name()
        guard try nextByte() != nil else { return false }
        return try value(stopsAtLandmark: true).failure == .landmark
    }

    /// Returns whether the file ends within the name at an offset.
    func endsInName(at start: Int) throws(HARError) -> Bool {
        guard start < size, size - start <= Self.maximumNameSize else { return false }
        var scanner = scanner(try text(from: start, count: size - start), from: start)
        return scanner.text[0] == UInt8(ascii: "\"") && scanner.scan(.name) == .endOfFile
    }

    /// Returns at most the given number of the next bytes.
    func peek(_ count: Int) throws(HARError) -> [UInt8] { try Array(text(from: offset, count: count).prefix(count)) }

    /// Returns whether the text after an offset begins with bytes that follow optional whitespace.
    func starts(with bytes: [UInt8], at start: Int) throws(HARError) -> Bool {
        let text = try text(from: min(start, size), count: Self.maximumNameSize)
        return text.drop(while: JSONText.isWhitespace).starts(with: bytes)
    }

    /// Returns the name of the first member of an object as written, or nil if it has an escape sequence.
    ///
    /// - Parameter start: The offset of the object.
    /// - Returns: The name with its quotation marks.
    /// - Throws: `unreadableFile`.
    func opening(at start: Int) throws(HARError) -> [UInt8]? {
        let text = try text(from: start + 1, count: Self.maximumNameSize)
        let name = text.drop(while: JSONText.isWhitespace)
        guard let first = name.first,
            case let isQuoted = LenientString.isQuote(first),
            let end = name.dropFirst().firstIndex(of: isQuoted ? first : UInt8(ascii: ":"))
        else { return nil }
        let bytes = Array(isQuoted ? name[...end] : name[..<end])
        return bytes.contains(UInt8(ascii: "\\")) || bytes.count > Self.maximumNameSize / 2 ? nil : bytes
    }

    /// Returns whether an object begins with a log, and is thus the document of an archive.
    func isArchive(at start: Int) throws(HARError) -> Bool {
        guard try text(from: start, count: 1).first == UInt8(ascii: "{"), let name = try harName(at: start + 1) else {
            return false
        }
        return name.name == .log && (name.next == UInt8(ascii: "{") || name.next == UInt8(ascii: "["))
    }

    /// Returns the name at an offset and the first byte of its value, or nil if another text is there.
    func harName(at start: Int) throws(HARError) -> (name: HARNames, next: UInt8)? {
        var rest = try text(from: min(start, size), count: Self.maximumNameSize)[...]
        rest = rest.drop(while: JSONText.isWhitespace)
        guard let first = rest.first else { return nil }
        let isQuoted = LenientString.isQuote(first)
        let size = isQuoted ? rest.dropFirst().prefix(16).firstIndex(of: first).map { $0 + 1 - rest.startIndex } : nil
        let name = isQuoted ? rest.prefix(size ?? 0) : rest.prefix { $0 | 0x20 > 0x60 && $0 | 0x20 < 0x7B }
        rest = rest.dropFirst(name.count).drop(while: JSONText.isWhitespace)
        guard !name.isEmpty, rest.first == UInt8(ascii: ":") else { return nil }
        guard let next = rest.dropFirst().first(where: { !JSONText.isWhitespace($0) }) else { return nil }
        return (HARNames(name: UnsafeRawBufferPointer(rebasing: name)), next)
    }

    // MARK: Searching

    /// Moves to the next opening bracket or brace.
    ///
    /// - Returns: The offset of the first skipped byte that is not whitespace or a byte order mark, or nil.
    func skipToBracket() throws(HARError) -> Int? {
        var skipped: Int?
        while offset < size {
            let text = try text(from: offset, count: 1)
            for (index, byte) in text.enumerated() {
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    offset += index
                    return skipped
                }
                if skipped == nil, !Self.isSpace(byte) { skipped = offset + index }
            }
            offset += text.count
        }
        return skipped
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: true
        default: false
        }
    }

    /// Moves to the next bracket or brace or, if requested, to the next quotation mark.
    ///
    /// - Returns: The byte, or nil at the end of the file.
    func skipToStructure(orQuote findsQuotes: Bool) throws(HARError) -> UInt8? {
        while offset < size {
            let text = try text(from: offset, count: 1)
            for (index, byte) in text.enumerated() {
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"): break
                case UInt8(ascii: "\""), UInt8(ascii: "'"):
                    if findsQuotes { break }
                    continue
                default: continue
                }
                offset += index
                scannedByteCount += index
                return byte
            }
            offset += text.count
            scannedByteCount += text.count
        }
        return nil
    }

    /// Returns the end of a range, excluding trailing separators.
    func end(of range: Range<Int>) throws(HARError) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - Self.windowSize)
            let chunk = try file.bytes(in: start..<end)
            if let last = chunk.lastIndex(where: { !JSONText.isGap($0) && $0 != 0 }) { return start + last + 1 }
            end = start
        }
        return end
    }

    /// Returns the offset of the first byte that is not a separator.
    func skipSeparators(from start: Int) throws(HARError) -> Int {
        offset = start
        while offset < size {
            let text = try text(from: offset, count: 1)
            if let index = text.firstIndex(where: { !JSONText.isGap($0) }) { return offset + index }
            offset += text.count
        }
        return size
    }

    /// Returns whether the file contains a text.
    ///
    /// - Complexity: O(*n*) in the size of the file.
    func contains(_ needle: [UInt8]) throws(HARError) -> Bool {
        var start = 0
        while start < size {
            let text = try text(from: start, count: needle.count)
            if text.firstOffset(of: needle) != nil { return true }
            if start + text.count >= size { return false }
            start += max(1, text.count - needle.count)
        }
        return false
    }

    // MARK: Window

    private func scanner(
        _ text: UnsafeRawBufferPointer, from start: Int, collectsEdits: Bool = false, landmarkLimit: Int = 0
    ) -> LenientScanner {
        comments.base = start
        return LenientScanner(
            text, isWhole: start + text.count >= size, limits: limits, collectsEdits: collectsEdits,
            landmarkLimit: landmarkLimit, comments: comments)
    }

    /// Returns the text from an offset, with at least the given number of bytes unless the file ends before.
    private func text(from start: Int, count: Int) throws(HARError) -> UnsafeRawBufferPointer {
        let needed = min(start + count, size)
        if start < windowStart || needed > windowStart + windowCount {
            // The text directly before the offset is often read again.
            windowStart = max(0, start - Self.margin)
            let capacity = max(Self.windowSize, start - windowStart + count)
            if capacity > window.count {
                window.deallocate()
                window = .allocate(byteCount: capacity, alignment: 16)
            }
            let target = UnsafeMutableRawBufferPointer(rebasing: window[..<max(0, min(capacity, size - windowStart))])
            windowCount = try file.fill(target, at: windowStart)
            guard windowCount == target.count else {
                throw HARError(
                    .unreadableFile, "The file was truncated after it was opened. Open it again.",
                    at: .init(file: file.name, byteOffset: start))
            }
        }
        return UnsafeRawBufferPointer(rebasing: window[max(0, start - windowStart)..<windowCount])
    }
}
