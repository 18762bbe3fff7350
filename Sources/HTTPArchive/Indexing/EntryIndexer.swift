import CJSONScan

/// Finds the elements of `entries` by the structure of the text: quotation marks and brackets.
///
/// The indexer finds the range of each entry and reads the few fields that an index needs. It ignores the rest of an
/// entry, which is parsed on demand. The indexer stops at anything unusual between entries or in the objects that
/// contain these fields. The parser then reads the file and decides whether it is valid.
///
/// Most of the time for opening an archive with many small entries is spent here, so the code avoids creating strings
/// and counting references.
struct EntryIndexer: ~Copyable {
    /// The state after some of the text has been indexed.
    enum Progress: Equatable {
        /// The end of the array has not been reached.
        case unfinished

        /// The array's closing bracket is at this offset of the file.
        case finished(at: Int)

        /// An entry begins at ``goal``.
        case reachedGoal

        /// The text is unusual, so the whole file must be parsed.
        case undecided
    }

    /// The maximum depth at which fields are read: an entry has depth 1, its request 2, and the response's content 3.
    static let shallow: Int64 = 3

    /// The maximum size of a field's name, or of a value that is stored in the index, in bytes.
    ///
    /// If either is larger, the whole file must be parsed.
    private static let maximumNeededSize = 1 << 24

    /// The value that represents a missing offset.
    static let noOffset = -1

    private let start: Int
    private let limits: JSONScanner.Limits

    /// The offset at which indexing stops if an entry begins there.
    var goal = Int.max

    /// The complete entries, and the pending one.
    var entries = EntrySegmentBuilder()

    var depth = 0
    /// The current object, and the object of the same entry that encloses it.
    var object = EntryObject.other
    private var outerObject = EntryObject.other
    /// The depth of the object in which a value is being skipped, or `Int.max` if no value is being skipped.
    private var skipDepth = Int.max

    /// The offset of the current string.
    var stringStart = noOffset
    /// The offset after a key whose value has not been reached yet.
    var keyEnd = noOffset
    var isValue = false
    var field = EntryField.other

    /// The offset up to which the text between entries was checked, and whether it contained a comma.
    private var gapStart: Int
    private var hasComma = true

    /// Creates an indexer that starts after the array's opening bracket, or at the opening bracket of an entry.
    init(from start: Int, limits: JSONScanner.Limits) {
        gapStart = start
        self.start = start
        self.limits = limits
    }

    /// Returns the complete entries.
    mutating func finish() -> EntrySegment { entries.finish() }

    /// Returns the offset of the first byte that is still needed after everything before `offset` has been indexed.
    func neededOffset(before offset: Int) -> Int {
        if depth == 0 { return gapStart }
        if stringStart != Self.noOffset { return isValue && field == .other ? offset : stringStart }
        return keyEnd == Self.noOffset ? offset : keyEnd
    }

    /// Returns whether the text of the current entry up to an offset, and the part of it that is still needed, are
    /// within the limits.
    func isWithinLimits(before offset: Int) -> Bool {
        guard depth > 0 else { return true }
        return offset - entries.pending.start <= limits.valueSize
            && offset - neededOffset(before: offset) <= Self.maximumNeededSize
    }

    /// Whether quotation marks are significant, which is true between entries and in objects whose fields are read.
    private var isShallow: Bool { skipDepth == .max }

    /// Indexes the next structure blocks.
    ///
    /// - Parameters:
    ///   - blocks: The blocks.
    ///   - start: The offset in the file to which the offsets of the blocks are relative.
    ///   - window: The text, from the first needed offset to the end of the last block.
    /// - Returns: The state after the blocks.
    mutating func take(
        _ blocks: UnsafeBufferPointer<structure_block>, from start: Int, in window: TextWindow
    ) -> Progress {
        for block in blocks where block.lowest <= skipDepth {
            let progress = take(block, at: start &+ Int(truncatingIfNeeded: block.offset), in: window)
            if progress != .unfinished { return progress }
        }
        return .unfinished
    }

    @inline(__always)
    private mutating func take(_ block: structure_block, at start: Int, in window: TextWindow) -> Progress {
        depth = Int(block.depth)
        let brackets = block.opens | block.closes
        var marks = isShallow ? brackets | block.quotes : brackets
        while marks != 0 {
            let offset = start &+ marks.trailingZeroBitCount
            let mark = marks & (0 &- marks)
            marks ^= mark
            if block.quotes & mark != 0 {
                if block.strings & mark != 0 {
                    guard beginString(at: offset, in: window) else { return .undecided }
                } else {
                    // If the string began before this block, it may contain backslashes.
                    let isEscaped = stringStart < start || block.backslashes != 0
                    guard endString(at: offset, mayHaveEscapes: isEscaped, in: window) else { return .undecided }
                }
            } else if block.opens & mark != 0 {
                let progress = open(at: offset, in: window)
                if progress != .unfinished { return progress }
                if !isShallow { marks &= brackets }
            } else if depth &- 1 > skipDepth {
                depth &-= 1
            } else {
                let progress = close(at: offset, in: window)
                if progress != .unfinished { return progress }
                marks = (brackets | block.quotes) & ~(mark | (mark &- 1))
            }
        }
        return .unfinished
    }

    /// Checks the text between elements up to an offset, and returns false if it contains anything other than
    /// whitespace and one comma.
    mutating func passGap(to offset: Int, in window: TextWindow) -> Bool {
        guard depth == 0 else { return true }
        while gapStart < offset {
            let byte = window[gapStart]
            gapStart &+= 1
            if JSONText.isWhitespace(byte) { continue }
            guard byte == UInt8(ascii: ","), !hasComma else { return false }
            hasComma = true
        }
        return true
    }
}

// MARK: Brackets

extension EntryIndexer {
    private mutating func open(at offset: Int, in window: TextWindow) -> Progress {
        if !isShallow {
            depth &+= 1
            return .unfinished
        }
        let isObject = window[offset] == UInt8(ascii: "{")
        if depth == 0 {
            guard isObject, passGap(to: offset, in: window), hasComma else { return .undecided }
            if offset == goal { return .reachedGoal }
            entries.pending.begin(at: offset)
            object = .entry
        } else {
            guard keyEnd != Self.noOffset, isColon(keyEnd..<offset, in: window) else { return .undecided }
            if field != .other { entries.pending.clear(field) }
            let inner = isObject ? field.object : .other
            if inner == .other {
                skipDepth = depth
            } else {
                outerObject = object
                object = inner
            }
        }
        keyEnd = Self.noOffset
        field = .other
        depth &+= 1
        return .unfinished
    }

    /// Handles the closing bracket of the current object, or of a skipped value in it.
    private mutating func close(at offset: Int, in window: TextWindow) -> Progress {
        depth &-= 1
        if !isShallow {
            skipDepth = .max
            return .unfinished
        }
        guard depth >= 0 else {
            depth = 0
            let isEnd = window[offset] == UInt8(ascii: "]") && passGap(to: offset, in: window)
            return isEnd && (!hasComma || entries.count == 0) ? .finished(at: offset) : .undecided
        }
        guard window[offset] == UInt8(ascii: "}"), stringStart == Self.noOffset else { return .undecided }
        if keyEnd != Self.noOffset, !takeScalar(window[keyEnd..<offset]) { return .undecided }
        // If the closed object is `content`, the enclosing object is a response, which is inside an entry.
        object = outerObject
        outerObject = .entry
        guard depth == 0 else { return .unfinished }
        guard offset + 1 - entries.pending.start <= limits.valueSize,
            limits.allows(entryCount: entries.count + 1, upTo: offset - start)
        else { return .undecided }
        entries.append(endingAt: offset + 1)
        gapStart = offset + 1
        hasComma = false
        return .unfinished
    }
}

/// Handles keys, strings and scalars in the objects whose fields are read.
extension EntryIndexer {
    /// Handles the opening quotation mark of a string, and returns false if a string cannot begin here.
    @inline(__always)
    mutating func beginString(at offset: Int, in window: TextWindow) -> Bool {
        guard depth > 0 else { return false }
        isValue = false
        if keyEnd != Self.noOffset {
            if isColon(keyEnd..<offset, in: window) {
                isValue = true
            } else {
                let between = TextWindow.trimmed(window[keyEnd..<offset])
                guard between.last == UInt8(ascii: ","), takeScalar(between[from: 0, to: between.count - 1]) else {
                    return false
                }
            }
        }
        stringStart = offset
        return true
    }

    /// Handles the closing quotation mark of a key or of a string value.
    ///
    /// - Parameters:
    ///   - offset: The offset of the quotation mark.
    ///   - mayHaveEscapes: Whether the string may contain backslashes.
    ///   - window: The text.
    /// - Returns: False if the text is unusual, so the whole file must be parsed.
    @inline(__always)
    mutating func endString(at offset: Int, mayHaveEscapes: Bool, in window: TextWindow) -> Bool {
        guard stringStart != Self.noOffset else { return false }
        let start = stringStart &+ 1
        stringStart = Self.noOffset
        if isValue {
            keyEnd = Self.noOffset
            if field == .other { return true }
            defer { field = .other }
            return entries.pending.take(field, string: window[start..<offset])
        }
        keyEnd = offset &+ 1
        let name = window[start..<offset]
        if mayHaveEscapes, name.firstOffset(of: UInt8(ascii: "\\")) != nil {
            return FieldText.decode(name) { field = .named($0, in: object) }
        }
        field = .named(name, in: object)
        return true
    }

    /// Handles the text after a key whose value is a scalar, and returns false if the text does not begin with a colon.
    mutating func takeScalar(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = TextWindow.trimmed(text)
        guard text.first == UInt8(ascii: ":") else { return false }
        if field != .other { entries.pending.take(field, scalar: TextWindow.trimmed(text[from: 1])) }
        field = .other
        keyEnd = Self.noOffset
        return true
    }

    /// Returns whether a range consists of a colon and whitespace.
    ///
    /// Nearly every range is just a colon, or a colon and a space.
    @inline(__always)
    func isColon(_ range: Range<Int>, in window: TextWindow) -> Bool {
        if window[range.lowerBound] == UInt8(ascii: ":") {
            if range.count == 1 { return true }
            if range.count == 2, window[range.lowerBound &+ 1] == UInt8(ascii: " ") { return true }
        }
        let text = TextWindow.trimmed(window[range])
        return text.count == 1 && text[0] == UInt8(ascii: ":")
    }
}
