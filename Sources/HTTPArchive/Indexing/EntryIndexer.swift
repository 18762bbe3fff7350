import CJSONScan

/// Passes over the elements of `entries` by the structure of the text alone: quotation marks and brackets.
///
/// It finds where each entry begins and ends, and picks the few fields that an index keeps. What an entry holds besides
/// is not looked at; it is parsed when the entry is asked for. Anything unusual between entries, or in the objects that
/// the fields are in, makes the pass give up: the parser then says what is the matter, or understands it.
///
/// Most of the time of opening archives of small entries is spent here. So no strings are made, and nothing is counted
/// by reference.
struct EntryIndexer: ~Copyable {
    /// What came of a piece of text.
    enum Progress: Equatable {
        /// The array goes on.
        case unfinished

        /// The array's closing bracket stands at that place of the file.
        case finished(at: Int)

        /// The next entry begins exactly where the pass was to arrive.
        case reachedGoal

        /// The pass does not understand the text.
        case undecided
    }

    /// How deep the pass looks into an element: an entry is 1 deep, its request 2, the response's content 3.
    static let shallow: Int64 = 3

    /// In place of a place where there is none.
    static let noOffset = -1

    private let limits: JSONScanner.Limits

    /// Where the pass ends if an entry begins there.
    var goal = Int.max

    /// The entries that are complete, and the one in hand.
    var entries = EntrySegmentBuilder()

    var depth = 0
    /// The object in hand, and the one around it when that is a part of an entry.
    var object = EntryObject.other
    private var outerObject = EntryObject.other
    /// The depth below which nothing is looked at, until brackets lead back to it; as deep as can be while they do.
    private var skipDepth = Int.max

    /// The start of the string in hand.
    var stringStart = noOffset
    /// The place after a key whose value has not begun.
    var keyEnd = noOffset
    var isValue = false
    var field = EntryField.other

    /// What is checked of the text between elements.
    private var gapStart: Int
    private var hasComma = true

    /// Begins behind the array's opening bracket, or at the bracket of an entry.
    init(from start: Int, limits: JSONScanner.Limits) {
        gapStart = start
        self.limits = limits
    }

    /// Gives the entries that are complete.
    mutating func finish() -> EntrySegment { entries.finish() }

    /// The first place of the file that is still needed when everything before `offset` was taken.
    func neededOffset(before offset: Int) -> Int {
        if depth == 0 { return gapStart }
        if stringStart != Self.noOffset, !isValue || field != .other { return stringStart }
        return keyEnd == Self.noOffset ? offset : keyEnd
    }

    /// Whether quotation marks count: between entries, and in the objects that fields are picked from.
    private var isShallow: Bool { skipDepth == .max }

    /// Takes the next blocks of structure.
    ///
    /// - Parameters:
    ///   - blocks: The blocks.
    ///   - start: The place in the file that their offsets are counted from.
    ///   - window: The text, from what is needed up to the end of the last block.
    /// - Returns: Whether the array goes on.
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
                    // What is before the block is not known of a string that began there.
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

    /// Checks the text between elements up to a place; `false` when there is something else than one comma.
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

    /// Takes the closing bracket of what is looked at, or of what was passed over in it.
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
        // A content is inside a response, which is inside an entry.
        object = outerObject
        outerObject = .entry
        guard depth == 0 else { return .unfinished }
        guard offset + 1 - entries.pending.start <= limits.valueSize, entries.count < limits.entryCount else {
            return .undecided
        }
        entries.append(endingAt: offset + 1)
        gapStart = offset + 1
        hasComma = false
        return .unfinished
    }
}

/// The members of the objects that fields are picked from: keys, strings and scalars.
extension EntryIndexer {
    /// Takes the quotation mark that begins a string; `false` where none may stand.
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

    /// Takes the quotation mark that ends a string: a key, or the value of one.
    ///
    /// - Parameters:
    ///   - offset: The place of the mark.
    ///   - mayHaveEscapes: Whether backslashes are to be looked for.
    ///   - window: The text.
    /// - Returns: `false` when the text is not understood.
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

    /// Takes what stands behind a key up to the next one or to the end of the object: a colon and a scalar.
    mutating func takeScalar(_ text: UnsafeRawBufferPointer) -> Bool {
        let text = TextWindow.trimmed(text)
        guard text.first == UInt8(ascii: ":") else { return false }
        if field != .other { entries.pending.take(field, scalar: TextWindow.trimmed(text[from: 1])) }
        field = .other
        keyEnd = Self.noOffset
        return true
    }

    /// Whether there is a colon, and white space at most; it is nearly always the colon alone, or with a space.
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
