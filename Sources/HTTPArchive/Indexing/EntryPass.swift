import CStructure

/// Passes over the elements of `entries` by the structure of the text alone: quotation marks and brackets.
///
/// It finds where each entry begins and ends, and picks the few fields that an index keeps. What an entry holds besides
/// is not looked at; it is parsed when the entry is asked for. Anything unusual between entries, or in the objects that
/// the fields are in, makes the pass give up: the parser then says what is the matter, or understands it.
struct EntryPass {
    /// What came of a piece of text.
    enum Progress: Equatable {
        /// The array goes on.
        case unfinished

        /// The array's closing bracket stands at that place of the file.
        case finished(at: Int)

        /// The pass does not understand the text.
        case lost
    }

    /// How deep the pass looks into an element: an entry is 1 deep, its request 2, the response's content 3.
    static let shallow: Int64 = 3

    private let limits: JSONScanner.Limits

    /// The summaries of the entries that are complete.
    private(set) var table = EntryTable()

    private var depth = 0
    /// Whether quotation marks count: between entries, and in the objects that fields are picked from.
    private var isShallow = true
    private var second: EntryObject?
    private var third: EntryObject?
    private var entry = EntryDraft(from: 0)

    /// The start of the string in hand.
    private var stringStart: Int?
    /// The place after a key whose value has not begun.
    private var keyEnd: Int?
    private var isValue = false
    private var field: EntryField?

    /// What is checked of the text between elements.
    private var gapStart: Int
    private var hasComma = true

    /// Begins behind the array's opening bracket.
    init(from start: Int, limits: JSONScanner.Limits) {
        gapStart = start
        self.limits = limits
    }

    /// The first place of the file that is still needed when everything before `place` was taken.
    func neededPlace(before place: Int) -> Int {
        if depth == 0 { return gapStart }
        if let stringStart, !isValue || field != nil { return stringStart }
        return keyEnd ?? place
    }

    /// Takes the next block of structure.
    ///
    /// - Parameters:
    ///   - block: The block.
    ///   - start: The place of its first byte in the file.
    ///   - window: The text, from what is needed up to the end of the block.
    /// - Returns: Whether the array goes on.
    mutating func take(_ block: structure_block, at start: Int, in window: TextWindow) -> Progress {
        depth = Int(block.depth)
        var rest = UInt64.max
        while true {
            let brackets = (block.opens | block.closes) & rest
            let bit = brackets.trailingZeroBitCount
            if isShallow {
                var quotes = block.quotes & rest & (brackets == 0 ? .max : (1 << UInt64(bit)) - 1)
                while quotes != 0 {
                    let quote = quotes.trailingZeroBitCount
                    quotes &= quotes - 1
                    let isUnderstood =
                        block.strings >> UInt64(quote) & 1 == 1
                        ? beginString(at: start + quote, in: window) : endString(at: start + quote, in: window)
                    if !isUnderstood { return .lost }
                }
            }
            if brackets == 0 { return .unfinished }
            if block.opens >> UInt64(bit) & 1 == 1 {
                if !open(at: start + bit, in: window) { return .lost }
            } else {
                let progress = close(at: start + bit, in: window)
                if progress != .unfinished { return progress }
            }
            rest = bit == 63 ? 0 : .max << UInt64(bit + 1)
        }
    }

    /// Checks the text between elements up to a place; `false` when there is something else than one comma.
    mutating func passGap(to place: Int, in window: TextWindow) -> Bool {
        guard depth == 0 else { return true }
        for byte in window[gapStart..<place] where !TextWindow.isWhitespace(byte) {
            guard byte == UInt8(ascii: ","), !hasComma else { return false }
            hasComma = true
        }
        gapStart = place
        return true
    }

    // MARK: Brackets

    private mutating func open(at place: Int, in window: TextWindow) -> Bool {
        let isObject = window[place] == UInt8(ascii: "{")
        if depth == 0 {
            guard isObject, passGap(to: place, in: window), hasComma else { return false }
            entry = EntryDraft(from: place)
        } else if isShallow {
            guard let keyEnd, isColon(window.trimmed(keyEnd..<place)) else { return false }
            let object = isObject ? field?.object : nil
            if let field { entry.take(field, UnsafeRawBufferPointer(start: nil, count: 0)) }
            if depth == 1 { second = object } else { third = object }
            isShallow = object != nil
        }
        keyEnd = nil
        field = nil
        depth += 1
        return true
    }

    private mutating func close(at place: Int, in window: TextWindow) -> Progress {
        guard depth > 0 else {
            let isEnd = window[place] == UInt8(ascii: "]") && passGap(to: place, in: window)
            return isEnd && (!hasComma || table.count == 0) ? .finished(at: place) : .lost
        }
        if isShallow {
            guard window[place] == UInt8(ascii: "}"), stringStart == nil else { return .lost }
            if let keyEnd, !takeScalar(window.trimmed(keyEnd..<place)) { return .lost }
        }
        depth -= 1
        switch depth {
        case 0:
            let summary = entry.finished(at: place + 1)
            guard summary.byteRange.count <= limits.valueSize, table.count < limits.entryCount else { return .lost }
            table.append(summary)
            gapStart = place + 1
            hasComma = false
        case 1: isShallow = true
        case 2: isShallow = second != nil
        case 3: isShallow = second != nil && third != nil
        default: break
        }
        return .unfinished
    }

    // MARK: Strings and scalars

    private mutating func beginString(at place: Int, in window: TextWindow) -> Bool {
        guard depth > 0 else { return false }
        isValue = false
        if let keyEnd {
            let between = window.trimmed(keyEnd..<place)
            if isColon(between) {
                isValue = true
            } else if between.last == UInt8(ascii: ",") {
                guard takeScalar(UnsafeRawBufferPointer(rebasing: between.dropLast())) else { return false }
            } else {
                return false
            }
        }
        stringStart = place
        return true
    }

    private mutating func endString(at place: Int, in window: TextWindow) -> Bool {
        guard let start = stringStart else { return false }
        stringStart = nil
        // The parser has not seen the string yet: what is decoded of it is checked here.
        guard isValue && field == nil || JSONText.hasValidEscapes(window[start + 1..<place]) else { return false }
        if isValue {
            if let field { entry.take(field, window[start..<place + 1]) }
            field = nil
            keyEnd = nil
        } else {
            field = EntryField.named(window[start + 1..<place], in: object)
            keyEnd = place + 1
        }
        return true
    }

    /// Takes what stands behind a key up to the next one or to the end of the object: a colon and a scalar.
    private mutating func takeScalar(_ text: UnsafeRawBufferPointer) -> Bool {
        guard text.first == UInt8(ascii: ":") else { return false }
        if let field {
            let window = TextWindow(bytes: text, start: 0)
            entry.take(field, window.trimmed(1..<text.count))
        }
        field = nil
        keyEnd = nil
        return true
    }

    private func isColon(_ text: UnsafeRawBufferPointer) -> Bool { text.count == 1 && text[0] == UInt8(ascii: ":") }

    /// The object in hand.
    private var object: EntryObject {
        switch depth {
        case 1: .entry
        case 2: second ?? .entry
        default: third ?? .content
        }
    }
}
