/// Scans JSON-like text, and collects the changes that turn it into strict JSON.
///
/// In addition to JSON, the scanner accepts comments, extra and missing commas, missing values, names without quotation
/// marks, single quotation marks, raw control characters, unknown escape sequences, and the numbers and words of
/// JavaScript and Python. Brackets and colons must be as in JSON, so that other damage is not misinterpreted.
struct LenientScanner {
    /// The part of a document to scan.
    enum Part { case gap, name, value }

    /// The reason why the scanner stopped before the end of the part.
    enum Stop: Error, Equatable {
        /// The text ends within the part, but more text follows in the file.
        case incomplete

        /// The file ends within the part.
        case endOfFile

        case invalid(expected: String)

        /// A limit of the reader is exceeded.
        case tooDeep, tooLarge
    }

    private struct Container {
        let isObject: Bool
        var count = 0
        var comma: Int?
    }

    /// The maximum size of a comment, in bytes, which limits the time for comments without an end.
    private static let maximumCommentSize = 1 << 16

    /// The text, from the start of the part.
    let text: UnsafeRawBufferPointer

    /// Whether the text extends to the end of the file.
    private let isWhole: Bool

    private let limits: JSONScanner.Limits
    private let collectsEdits: Bool

    /// The offset up to which the text was scanned.
    private(set) var offset = 0

    /// The changes so far, if they are collected.
    private(set) var edits: [LenientEdit] = []

    /// The kind of the first change, or nil if the text is strict JSON.
    private(set) var firstEdit: LenientEdit.Kind?

    /// Whether the scanned value is an object with a member `request`.
    private(set) var hasRequest = false

    private var tokenCount = 0
    private var stack: [Container] = []

    /// Creates a scanner.
    ///
    /// - Parameters:
    ///   - text: The text, from the start of the part.
    ///   - isWhole: Whether the text extends to the end of the file.
    ///   - limits: The maximum size and depth of a value.
    ///   - collectsEdits: Whether the changes are collected.
    init(_ text: UnsafeRawBufferPointer, isWhole: Bool, limits: JSONScanner.Limits, collectsEdits: Bool) {
        self.text = text
        self.isWhole = isWhole
        self.limits = limits
        self.collectsEdits = collectsEdits
    }

    /// Scans a part, and returns the reason if it is not complete.
    mutating func scan(_ part: Part) -> Stop? {
        do throws(Stop) {
            switch part {
            case .gap: try skipGap()
            case .name:
                try scanName()
                try skipColon()
            case .value:
                try scanValue()
                while !stack.isEmpty { try scanElement() }
            }
            return nil
        } catch {
            return error
        }
    }

    /// Returns strict JSON for a complete value.
    ///
    /// - Parameters:
    ///   - bytes: The text of the value.
    ///   - limits: The maximum size and depth of the value.
    /// - Returns: The strict JSON, or nil if the text is not a value.
    static func strict(_ bytes: [UInt8], limits: JSONScanner.Limits) -> LenientText? {
        bytes.withUnsafeBytes { text in
            var scanner = LenientScanner(text, isWhole: true, limits: limits, collectsEdits: true)
            guard scanner.scan(.value) == nil else { return nil }
            return LenientText(text[from: 0, to: scanner.offset], scanner.edits)
        }
    }

    // MARK: Structure

    private mutating func scanElement() throws(Stop) {
        let gapStart = offset
        try skipGap()
        let last = stack.count - 1
        let byte = try current("',' or a closing bracket")
        let isObject = stack[last].isObject
        switch byte {
        case UInt8(ascii: ","):
            if stack[last].count == 0 || stack[last].comma != nil {
                try count()
                record(.extraComma, offset..<offset + 1)
            } else {
                stack[last].comma = offset
            }
            offset += 1
            return
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject:
            if let comma = stack[last].comma { recordTrailing(comma) }
            offset += 1
            stack.removeLast()
            try count()
            return
        default: break
        }
        if stack[last].count > 0, stack[last].comma == nil {
            guard Self.canFollow(byte, isObject: isObject, hasGap: offset > gapStart) else {
                throw .invalid(expected: isObject ? "',' or '}'" : "',' or ']'")
            }
            record(.missingComma, offset..<offset)
        }
        stack[last].count += 1
        stack[last].comma = nil
        if isObject {
            let start = offset
            try scanName()
            if stack.count == 1, isName("request", start..<offset) { hasRequest = true }
            try skipColon()
            try skipGap()
            let byte = try current("a value")
            if byte == UInt8(ascii: ",") || byte == UInt8(ascii: "}") {
                return record(.missingValue, offset..<offset)
            }
        }
        try scanValue()
    }

    /// Returns whether a byte begins an element whose preceding comma can be missing.
    ///
    /// Text after a stray quotation mark must not look like an element.
    private static func canFollow(_ byte: UInt8, isObject: Bool, hasGap: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): isObject || hasGap
        case UInt8(ascii: "{"), UInt8(ascii: "["): !isObject
        default: !isObject && hasGap && (JSONText.isDigit(byte) || byte == UInt8(ascii: "-"))
        }
    }

    private func isName(_ name: StaticString, _ range: Range<Int>) -> Bool {
        let found = text[from: range.lowerBound, to: range.upperBound]
        let isQuoted = found.first == UInt8(ascii: "\"") || found.first == UInt8(ascii: "'")
        let bytes = isQuoted ? UnsafeRawBufferPointer(rebasing: found.dropFirst().dropLast()) : found
        return name.withUTF8Buffer { $0.elementsEqual(bytes) }
    }

    private mutating func scanValue() throws(Stop) {
        try count()
        let byte = try current("a value")
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            guard stack.count < limits.depth else { throw .tooDeep }
            stack.append(Container(isObject: byte == UInt8(ascii: "{")))
            offset += 1
        case UInt8(ascii: "\""), UInt8(ascii: "'"): try scanString()
        default: try scanWord()
        }
    }

    private mutating func scanName() throws(Stop) {
        try count()
        let byte = try current("a name")
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try scanString() }
        let start = offset
        try skipWord(Self.isNameByte)
        guard offset > start else { throw .invalid(expected: "a name") }
        record(.unquotedName, start..<offset)
    }

    private mutating func skipColon() throws(Stop) {
        try skipGap()
        guard try current("':'") == UInt8(ascii: ":") else { throw .invalid(expected: "':'") }
        offset += 1
    }

    // MARK: Tokens

    private mutating func scanString() throws(Stop) {
        let start = offset
        let quote = text[start]
        var hasControl = false
        var hasEscape = false
        var end = start + 1
        while true {
            guard end < text.count else { throw ended }
            let byte = text[end]
            if byte == quote { break }
            if byte == UInt8(ascii: "\\") {
                guard end + 6 <= text.count || isWhole, end + 1 < text.count else { throw ended }
                if !LenientString.isStrict(text, at: end) { hasEscape = true }
                end += 2
            } else {
                if byte < 0x20 { hasControl = true }
                end += 1
            }
        }
        offset = end + 1
        // Only the first change of a string has a range.
        var range = start..<offset
        for (kind, isFound) in [
            (LenientEdit.Kind.quotes, quote != UInt8(ascii: "\"")), (.controlCharacter, hasControl),
            (.escape, hasEscape),
        ] where isFound {
            record(kind, range)
            range = offset..<offset
        }
    }

    /// Scans a number or a word.
    private mutating func scanWord() throws(Stop) {
        let start = offset
        try skipWord { Self.isNameByte($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".") }
        let word = text[from: start, to: offset]
        guard let first = word.first else { throw .invalid(expected: "a value") }
        if JSONText.isNumber(word) { return }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        if let known = LenientWord(isSigned ? word[from: 1] : word), !isSigned || known.isNonFinite {
            if !word.elementsEqual(known.strict) { record(known.isNonFinite ? .nonFinite : .literal, start..<offset) }
        } else if LenientNumber.strict(word) != nil {
            record(.number, start..<offset)
        } else if offset < text.count, text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'"),
            word.count == 1, "ub".utf8.contains(first)
        {
            // A string of Python with a prefix, such as u'text'.
            record(.stringPrefix, start..<offset)
            try scanString()
        } else {
            offset = start
            throw .invalid(expected: "a value")
        }
    }

    private mutating func skipWord(_ isPart: (UInt8) -> Bool) throws(Stop) {
        var end = offset
        while end < text.count, isPart(text[end]) { end += 1 }
        if end == text.count, !isWhole { throw .incomplete }
        offset = end
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The reason for stopping at the end of the text.
    private var ended: Stop { isWhole ? .endOfFile : .incomplete }

    private func current(_ expected: String) throws(Stop) -> UInt8 {
        guard offset < text.count else { throw ended }
        return text[offset]
    }

    /// Counts a token, and checks the size of the value.
    private mutating func count() throws(Stop) {
        tokenCount += 1
        if JSONScanner.Limits.size(of: offset, tokens: tokenCount) > limits.valueSize { throw .tooLarge }
    }

    // MARK: Whitespace and comments

    private mutating func skipGap() throws(Stop) {
        let start = offset
        while true {
            guard offset < text.count else {
                if isWhole { return }
                throw .incomplete
            }
            let byte = text[offset]
            if byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
                offset += 1
            } else if let size = try foreignSpace(byte) {
                extend(.whitespace, offset..<offset + size, since: start)
                offset += size
            } else if let end = try commentEnd(byte) {
                extend(.comment, offset..<end, since: start)
                offset = end
            } else {
                return
            }
        }
    }

    /// Returns the size of whitespace or a control character that JSON does not allow here, or nil for other text.
    private func foreignSpace(_ byte: UInt8) throws(Stop) -> Int? {
        switch byte {
        case 0..<0x20, 0x7F: return 1
        case 0xC2: return try follows([0xC2, 0xA0]) ? 2 : nil
        case 0xE2:
            if try follows([0xE2, 0x80, 0xA8]) { return 3 }
            return try follows([0xE2, 0x80, 0xA9]) ? 3 : nil
        case 0xEF: return try follows([0xEF, 0xBB, 0xBF]) ? 3 : nil
        default: return nil
        }
    }

    /// Returns the offset after a comment, or nil for other text.
    private func commentEnd(_ byte: UInt8) throws(Stop) -> Int? {
        switch byte {
        case UInt8(ascii: "/"):
            if try follows(Array("//".utf8)) { return try commentEnd(before: [UInt8(ascii: "\n")]) }
            return try follows(Array("/*".utf8)) ? commentEnd(after: Array("*/".utf8)) : nil
        case UInt8(ascii: "#"): return try commentEnd(before: [UInt8(ascii: "\n")])
        case UInt8(ascii: "<"): return try follows(Array("<!--".utf8)) ? commentEnd(after: Array("-->".utf8)) : nil
        default: return nil
        }
    }

    private func commentEnd(before terminator: [UInt8]) throws(Stop) -> Int {
        if let end = try find(terminator) { return end }
        return text.count
    }

    private func commentEnd(after terminator: [UInt8]) throws(Stop) -> Int {
        guard let end = try find(terminator) else { throw .endOfFile }
        return end + terminator.count
    }

    /// Returns the offset of the end of a comment, or nil at the end of the file.
    private func find(_ terminator: [UInt8]) throws(Stop) -> Int? {
        var position = offset + 2
        while position + terminator.count <= text.count {
            if text[position] == terminator[0], text[position..<position + terminator.count].elementsEqual(terminator) {
                return position
            }
            guard position - offset < Self.maximumCommentSize else {
                throw .invalid(expected: "the end of the comment")
            }
            position += 1
        }
        if !isWhole { throw .incomplete }
        return nil
    }

    private func follows(_ bytes: [UInt8]) throws(Stop) -> Bool {
        guard offset + bytes.count <= text.count else {
            if isWhole { return false }
            throw .incomplete
        }
        return text[offset..<offset + bytes.count].elementsEqual(bytes)
    }

    // MARK: Recording changes

    private mutating func record(_ kind: LenientEdit.Kind, _ range: Range<Int>) {
        firstEdit = firstEdit ?? kind
        guard collectsEdits else { return }
        edits.append(LenientEdit(kind, range))
    }

    /// Records whitespace or a comment, as one change with those directly before it.
    private mutating func extend(_ kind: LenientEdit.Kind, _ range: Range<Int>, since gapStart: Int) {
        if collectsEdits, let last = edits.last, last.kind == kind, Int(last.start) >= gapStart {
            edits[edits.count - 1].end = UInt32(range.upperBound)
        } else {
            record(kind, range)
        }
    }

    /// Records the comma before a closing bracket, which comments can follow.
    private mutating func recordTrailing(_ comma: Int) {
        firstEdit = firstEdit ?? .extraComma
        guard collectsEdits else { return }
        let index = edits.lastIndex { Int($0.start) < comma }.map { $0 + 1 } ?? 0
        edits.insert(LenientEdit(.extraComma, comma..<comma + 1), at: index)
    }
}
