import HTTPArchive

/// Strings, numbers, words, whitespace and comments.
extension LenientScanner {
    // MARK: Tokens

    /// Skips a bracket or a separator.
    mutating func skip() {
        offset += 1
        lastText = nil
    }

    mutating func scanString() throws(Stop) {
        let start = offset
        lastText = start
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
                if !LenientString.isStrict(text, at: end), text[end + 1] != quote { hasEscape = true }
                end += 2
            } else {
                if byte < 0x20 { hasControl = true }
                end += 1
            }
        }
        offset = end + 1
        guard hasControl || hasEscape || quote != UInt8(ascii: "\"") else { return }
        // Only the first change of a string has a range.
        var range = start..<offset
        for (kind, isFound) in [
            (RepairNote.Kind.quotes, quote != UInt8(ascii: "\"")), (.controlCharacter, hasControl),
            (.escape, hasEscape),
        ] where isFound {
            record(kind, range)
            range = offset..<offset
        }
    }

    /// Scans a string whose quotation marks are not in ASCII, and returns whether there is one.
    ///
    /// It ends at a quotation mark of the same kind, single or double, that is followed by other JSON.
    mutating func scanTypographicString() throws(Stop) -> Bool {
        guard offset + 3 <= text.count || isWhole else { throw .incomplete }
        guard let opening = LenientString.typographicQuote(in: text, at: offset) else { return false }
        let start = offset
        lastText = start
        var end = start + opening.size
        while true {
            guard end + 3 <= text.count || isWhole, end < text.count else { throw ended }
            if let quote = LenientString.quote(in: text, at: end), quote.isDouble == opening.isDouble {
                end += quote.size
                let next = try nextToken(from: end)
                if next == text.count || ",:]}".utf8.contains(text[next]) { break }
            } else {
                end += text[end] == UInt8(ascii: "\\") ? 2 : 1
            }
        }
        offset = end
        record(.quotes, start..<end)
        return true
    }

    /// Scans a string, or an expression that joins strings, such as `'a' + 'b'` or `('a' 'b')`.
    mutating func scanText() throws(Stop) {
        let start = offset
        let editCount = edits.count
        var isOpen = text[start] == UInt8(ascii: "(")
        var isJoined = isOpen
        if isOpen { offset = try nextToken(from: start + 1) }
        guard LenientString.isQuote(try current("a value")) else { throw .invalid(expected: "a value") }
        try scanString()
        while true {
            let next = try nextToken(from: offset)
            guard next < text.count else { break }
            if text[next] == UInt8(ascii: "+") {
                offset = try nextToken(from: next + 1)
            } else if isOpen, text[next] == UInt8(ascii: ")") {
                offset = next + 1
                isOpen = false
                break
            } else if isOpen {
                offset = next
            } else {
                break
            }
            guard LenientString.isQuote(try current("a string")) else { throw .invalid(expected: "a string") }
            isJoined = true
            try count()
            try scanString()
        }
        if isOpen { throw .invalid(expected: "')'") }
        guard isJoined else { return }
        edits.removeSubrange(min(editCount, edits.count)...)
        record(.concatenation, start..<offset)
    }

    /// Returns the offset of the first byte that is not whitespace, or of whitespace after much other whitespace.
    private func nextToken(from start: Int) throws(Stop) -> Int {
        var end = start
        let limit = min(text.count, start + 1 << 10)
        while end < limit, JSONText.isWhitespace(text[end]) { end += 1 }
        if end == text.count, !isWhole { throw .incomplete }
        return end
    }

    /// Scans a number or a word.
    mutating func scanWord() throws(Stop) {
        let start = offset
        try skipWord { Self.isNameByte($0) || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: ".") }
        let word = text[from: start, to: offset]
        guard let first = word.first else { throw .invalid(expected: "a value") }
        guard word.count <= JSONScanner.maximumNumberSize else {
            throw .invalid(expected: "a number of at most \(JSONScanner.maximumNumberSize) bytes")
        }
        if JSONText.isNumber(word) { return }
        let isSigned = first == UInt8(ascii: "-") || first == UInt8(ascii: "+")
        if let known = LenientWord(isSigned ? word[from: 1] : word), !isSigned || known.isNonFinite {
            if !word.elementsEqual(known.strict) {
                record(known.isNonFinite ? .nonFiniteNumber : .literal, start..<offset)
            }
        } else if word.last == UInt8(ascii: "."), offset < text.count, text[offset] == UInt8(ascii: "#") {
            // C on Windows writes numbers that are not finite as `1.#INF` and `-1.#IND`.
            offset += 1
            try skipWord(Self.isNameByte)
            record(.nonFiniteNumber, start..<offset)
        } else if LenientNumber.strict(word) != nil {
            record(.number, start..<offset)
        } else if offset < text.count, text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'"),
            word.count == 1, "ub".utf8.contains(first)
        {
            // A string of Python with a prefix, such as u'text'.
            record(.quotes, start..<offset)
            return try scanString()
        } else if JSONText.isLetterOrDigit(first), try scanCall(of: word, from: start) {
            return
        } else if JSONText.isLetterOrDigit(first), try endsElement(at: offset) {
            record(.unquotedText, start..<offset)
        } else {
            let isIncomplete = offset == text.count
            offset = start
            throw isIncomplete ? ended : .invalid(expected: "a value")
        }
        lastText = nil
    }

    /// Returns whether the next token is a comma or a closing bracket, or the text ends.
    private func endsElement(at start: Int) throws(Stop) -> Bool {
        let next = try nextToken(from: start)
        return next == text.count || ",}]".utf8.contains(text[next])
    }

    /// Scans a call with one string or number, such as `new Date(0)` or `NumberLong("1")`, which is replaced with its
    /// argument.
    ///
    /// - Returns: Whether the text is a call.
    private mutating func scanCall(of word: UnsafeRawBufferPointer, from start: Int) throws(Stop) -> Bool {
        if word.elementsEqual("new".utf8) {
            offset = try nextToken(from: offset)
            try skipWord(Self.isNameByte)
        }
        let next = try nextToken(from: offset)
        guard next < text.count, text[next] == UInt8(ascii: "(") else { return false }
        offset = try nextToken(from: next + 1)
        record(.call, start..<offset)
        let byte = try current("a value")
        if LenientString.isQuote(byte) { try scanString() } else { try scanWord() }
        let end = try nextToken(from: offset)
        guard end < text.count, text[end] == UInt8(ascii: ")") else { throw .invalid(expected: "')'") }
        record(.call, offset..<end + 1)
        offset = end + 1
        return true
    }

    mutating func skipWord(_ isPart: (UInt8) -> Bool) throws(Stop) {
        var end = offset
        while end < text.count, isPart(text[end]) { end += 1 }
        if end == text.count, !isWhole { throw .incomplete }
        offset = end
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x30...0x39: true
        case UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "-"): true
        default: false
        }
    }

    /// The reason for stopping at the end of the text.
    private var ended: Stop { isWhole ? .endOfFile : .incomplete }

    func current(_ expected: String) throws(Stop) -> UInt8 {
        guard offset < text.count else { throw ended }
        return text[offset]
    }

    /// Counts a token, and checks the size of the value.
    mutating func count() throws(Stop) {
        tokenCount += 1
        if JSONScanner.Limits.size(of: offset, tokens: tokenCount) > limits.valueSize { throw .tooLarge }
    }

    // MARK: Whitespace and comments

    mutating func skipGap() throws(Stop) {
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
                try count()
                offset += size
            } else if let end = try commentEnd(byte) {
                extend(.comment, offset..<end, since: start)
                try count()
                lastText = lastText ?? offset
                commentByteCount += end - offset
                offset = end
            } else {
                return
            }
        }
    }

    /// Returns the size of whitespace or a control character that JSON does not allow here, or nil for other text.
    func foreignSpace(_ byte: UInt8) throws(Stop) -> Int? {
        switch byte {
        case 0..<0x20, 0x7F: return 1
        case 0xC2: return try followsSpace(of: 2)
        case 0xE2, 0xE3, 0xEF: return try followsSpace(of: 3)
        default: return nil
        }
    }

    /// Returns the size if Unicode whitespace or an invisible character of this size in UTF-8 is next, or nil.
    private func followsSpace(of size: Int) throws(Stop) -> Int? {
        guard offset + size <= text.count else {
            if isWhole { return nil }
            throw .incomplete
        }
        guard let text = String(validating: text[offset..<offset + size], as: UTF8.self),
            let scalar = text.unicodeScalars.first
        else { return nil }
        switch scalar {
        case "\u{200B}"..."\u{200F}", "\u{2060}", "\u{FEFF}": return size
        default: return scalar.properties.isWhitespace ? size : nil
        }
    }

    /// Returns the offset after a comment, or nil for other text.
    func commentEnd(_ byte: UInt8) throws(Stop) -> Int? {
        switch byte {
        case UInt8(ascii: "/"):
            if try follows(Array("//".utf8)) { return try commentEnd(.line) }
            return try follows(Array("/*".utf8)) ? commentEnd(.block) : nil
        case UInt8(ascii: "#"): return try commentEnd(.line)
        case UInt8(ascii: "<") where try follows(Array("<!--".utf8)): return try commentEnd(.markup)
        case UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">"), UInt8(ascii: "|"):
            // The markers of a merge conflict.
            return try follows(Array(repeating: byte, count: 7)) ? commentEnd(.line) : nil
        default: return nil
        }
    }

    func commentEnd(_ kind: CommentSearch.Kind) throws(Stop) -> Int {
        switch comments.end(of: kind, at: offset, in: text) {
        case .found(let end): return end
        case .tooLong: throw .invalid(expected: "the end of the comment")
        case .unknown where !isWhole: throw .incomplete
        case .unknown where kind == .line: return text.count
        case .unknown: throw .endOfFile
        }
    }

    func follows(_ bytes: [UInt8]) throws(Stop) -> Bool {
        guard offset + bytes.count <= text.count else {
            if isWhole { return false }
            throw .incomplete
        }
        return text[offset..<offset + bytes.count].elementsEqual(bytes)
    }

    // MARK: Recording changes

    mutating func record(_ kind: RepairNote.Kind, _ range: Range<Int>) {
        isEdited = true
        // A change needs as much memory as a token.
        tokenCount += 1
        guard collectsEdits else { return }
        edits.append(LenientEdit(kind, range))
    }

    /// Records whitespace or a comment, as one change with those directly before it.
    mutating func extend(_ kind: RepairNote.Kind, _ range: Range<Int>, since gapStart: Int) {
        if collectsEdits, let last = edits.last, last.kind == kind, Int(last.start) >= gapStart {
            edits[edits.count - 1].end = UInt32(range.upperBound)
        } else {
            record(kind, range)
        }
    }

    /// Records the comma before a closing bracket, which comments can follow.
    mutating func recordTrailing(_ comma: Int) {
        isEdited = true
        guard collectsEdits else { return }
        let index = edits.lastIndex { Int($0.start) < comma }.map { $0 + 1 } ?? 0
        edits.insert(LenientEdit(.extraComma, comma..<comma + 1), at: index)
    }
}
