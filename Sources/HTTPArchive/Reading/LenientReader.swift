import CPlatform

/// Reads JSON-like text from a file part by part, so that memory use depends only on the largest value.
final class LenientReader {
    private static let windowSize = 1 << 18

    /// The result of reading a value.
    struct Value {
        /// The range of the value in the file, or the range up to the error.
        var range: Range<Int>

        /// Whether the text of the value is not strict JSON.
        let isEdited: Bool

        /// Whether the value is an object with a member `request`.
        let hasRequest: Bool

        /// The reason why the value cannot be read, or nil.
        let failure: LenientScanner.Stop?
    }

    let file: InputFile

    /// The size of the file in bytes, or of the part that is read.
    let size: Int

    let limits: JSONScanner.Limits

    /// The offset of the next byte to read.
    var offset = 0

    /// A closure that is called for a change between values, with its reason and offset.
    var onEdit: (LenientEdit.Kind, Int) -> Void = { _, _ in }

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

    // MARK: Parts

    /// Skips whitespace and comments, and returns the next byte, or nil at the end of the file.
    func nextByte() throws(HARError) -> UInt8? {
        while true {
            let start = offset
            let text = try text(from: start, count: 1 << 10)
            var scanner = scanner(text, from: start)
            let stop = scanner.scan(.gap)
            offset = start + scanner.offset
            if let kind = scanner.firstEdit { onEdit(kind, start) }
            switch stop {
            case nil: return offset < size ? scanner.text[scanner.offset] : nil
            case .incomplete where scanner.offset > 0: continue
            case .incomplete:
                // A comment can be larger than the requested text.
                guard try skipLongComment() else {
                    return offset < size ? try self.text(from: offset, count: 1).first : nil
                }
            default: return offset < size ? text[scanner.offset] : nil
            }
        }
    }

    private func skipLongComment() throws(HARError) -> Bool {
        let start = offset
        var scanner = scanner(try text(from: start, count: Self.windowSize), from: start)
        _ = scanner.scan(.gap)
        offset = start + scanner.offset
        if let kind = scanner.firstEdit { onEdit(kind, start) }
        return scanner.offset > 0
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
            if stop == .incomplete, count < limits.valueSize {
                count = min(2 * count, limits.valueSize)
                continue
            }
            guard stop == nil else { return nil }
            let strict = LenientText(text[from: 0, to: scanner.offset], scanner.edits).bytes
            guard let value = try? JSONSource.parsing([UInt8(ascii: "{")] + strict + Array("0}".utf8)),
                let member = value.root.value.object?.members.first
            else { return nil }
            if let kind = scanner.firstEdit { onEdit(kind, offset) }
            offset += scanner.offset
            return member.name
        }
    }

    /// Reads a value.
    ///
    /// - Returns: The value. If it cannot be read, the offset is unchanged.
    func value() throws(HARError) -> Value {
        var count = Self.windowSize / 4
        while true {
            var scanner = scanner(try text(from: offset, count: count), from: offset)
            var stop = scanner.scan(.value)
            if stop == .incomplete {
                if count < limits.valueSize {
                    count = min(4 * count, limits.valueSize + 1)
                    continue
                }
                stop = .tooLarge
            }
            let range = offset..<offset + scanner.offset
            if stop == nil { offset = range.upperBound }
            return Value(
                range: range, isEdited: scanner.firstEdit != nil, hasRequest: scanner.hasRequest, failure: stop)
        }
    }

    /// Reads a value as JSON.
    ///
    /// - Returns: The value and its text, or nil if it cannot be read. The offset is then unchanged.
    func json() throws(HARError) -> (value: JSONValue, range: Range<Int>, text: LenientText)? {
        let value = try value()
        try check(value.failure, at: value.range)
        guard value.failure == nil, let text = try strict(value.range), let json = try? parsed(text) else {
            offset = value.range.lowerBound
            return nil
        }
        return (json, value.range, text)
    }

    /// Returns the strict JSON of a value that was read.
    func strict(_ range: Range<Int>) throws(HARError) -> LenientText? {
        LenientScanner.strict(try file.bytes(in: range), limits: limits)
    }

    private func parsed(_ text: LenientText) throws(HARError) -> JSONValue {
        try JSONSource.parsing(text.bytes, limits: limits).root.value
    }

    /// Throws the error for an exceeded limit.
    func check(_ stop: LenientScanner.Stop?, at range: Range<Int>) throws(HARError) {
        switch stop {
        case .tooLarge: throw limits.tooLarge(at: .init(file: file.name, byteOffset: range.lowerBound))
        case .tooDeep: throw limits.tooDeep(at: .init(file: file.name, byteOffset: range.upperBound))
        default: break
        }
    }

    /// Returns whether the text after an offset begins with bytes that follow optional whitespace.
    func starts(with bytes: [UInt8], at start: Int) throws(HARError) -> Bool {
        let text = try text(from: min(start, size), count: 1 << 10)
        return text.drop(while: JSONText.isWhitespace).starts(with: bytes)
    }

    /// Returns the name of the first member of an object as written, or nil if it has an escape sequence.
    ///
    /// - Parameter start: The offset of the object.
    /// - Returns: The name with its quotation marks.
    /// - Throws: `unreadableFile`.
    func opening(at start: Int) throws(HARError) -> [UInt8]? {
        let text = try text(from: start + 1, count: 1 << 10)
        let name = text.drop(while: JSONText.isWhitespace)
        guard let first = name.first,
            let end = name.dropFirst().firstIndex(of: Self.isQuote(first) ? first : UInt8(ascii: ":"))
        else { return nil }
        let bytes = Array(Self.isQuote(first) ? name[...end] : name[..<end])
        return bytes.contains(UInt8(ascii: "\\")) || bytes.count > EntryBoundary.maximumNameSize / 2 ? nil : bytes
    }

    // MARK: Searching

    /// Moves to the next opening bracket or brace.
    ///
    /// - Returns: The offset of the first skipped byte that is not a separator, or nil if all are separators.
    func skipToBracket() throws(HARError) -> Int? {
        var skipped: Int?
        while offset < size {
            let text = try text(from: offset, count: 1)
            for (index, byte) in text.enumerated() {
                if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                    offset += index
                    return skipped
                }
                if skipped == nil, !Self.isSeparator(byte) { skipped = offset + index }
            }
            offset += text.count
        }
        return skipped
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x01...0x20, UInt8(ascii: ","), UInt8(ascii: ";"), 0xEF, 0xBB, 0xBF: true
        default: false
        }
    }

    /// Returns the offset of the first of several names, with or without quotation marks, before a colon.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - range: The range to search.
    ///   - opening: Whether an opening brace must precede the name. The result is then the offset of that brace.
    /// - Returns: The offset, or nil if no name is found.
    /// - Throws: `unreadableFile`.
    func find(_ names: [String], in range: Range<Int>, afterBrace opening: Bool = false) throws(HARError) -> Int? {
        var start = range.lowerBound
        let margin = 1 << 8
        while start < range.upperBound {
            let rest = try text(from: start, count: 4 * margin)
            let window = rest[from: 0, to: min(rest.count, max(4 * margin, range.upperBound - start + margin))]
            let found = names.compactMap { Self.find(Array($0.utf8), in: window, afterBrace: opening) }
                .filter { start + $0 < range.upperBound }.min()
            if let found { return start + found }
            guard start + window.count < size else { return nil }
            start += max(1, window.count - margin)
        }
        return nil
    }

    private static func find(_ name: [UInt8], in text: UnsafeRawBufferPointer, afterBrace opening: Bool) -> Int? {
        var rest = text
        while let base = rest.baseAddress, let match = search_find(base, rest.count, name, name.count) {
            let start = text.count - rest.count + (match - base)
            rest = text[from: start + name.count]
            var first = start
            var end = start + name.count
            if start > 0, end < text.count, isQuote(text[start - 1]), text[end] == text[start - 1] {
                first = start - 1
                end += 1
            }
            while end < text.count, JSONText.isWhitespace(text[end]) { end += 1 }
            guard end < text.count, text[end] == UInt8(ascii: ":") else { continue }
            guard opening else { return first }
            if let brace = text[..<first].lastIndex(where: { !JSONText.isWhitespace($0) }),
                text[brace] == UInt8(ascii: "{")
            {
                return brace
            }
        }
        return nil
    }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") }

    // MARK: Window

    private func scanner(
        _ text: UnsafeRawBufferPointer, from start: Int, collectsEdits: Bool = false
    ) -> LenientScanner {
        LenientScanner(text, isWhole: start + text.count >= size, limits: limits, collectsEdits: collectsEdits)
    }

    /// Returns the text from an offset, with at least the given number of bytes unless the file ends before.
    private func text(from start: Int, count: Int) throws(HARError) -> UnsafeRawBufferPointer {
        let needed = min(start + count, size)
        if start < windowStart || needed > windowStart + windowCount {
            if count > window.count {
                window.deallocate()
                window = .allocate(byteCount: count, alignment: 16)
            }
            let target = UnsafeMutableRawBufferPointer(rebasing: window[..<max(0, min(window.count, size - start))])
            windowStart = start
            windowCount = try file.fill(target, at: start)
            guard windowCount == target.count else {
                throw HARError(
                    .unreadableFile, "The file was truncated after it was opened. Open it again.",
                    at: .init(file: file.name, byteOffset: start))
            }
        }
        return UnsafeRawBufferPointer(rebasing: window[max(0, start - windowStart)..<windowCount])
    }
}
