/// The kind of text, which determines how an unquoted word after a name is interpreted.
enum TextStyle {
    /// Sentences, log lines, command lines and text of unknown format: a word after `password=` is a secret.
    case prose

    /// XML: a word after the name of a secret is a secret unless it is an ordinary word or a variable.
    case xml

    /// HTML: like XML, but elements with ambiguous names, such as `code`, contain ordinary text.
    case html

    /// Text in bytes that are not text, in which short names occur by chance.
    case binary

    /// JavaScript and style sheets: a word after a name is a variable, unless it looks random.
    case code
}

extension Redaction {
    /// The minimum length of text with a secret, in bytes: a name, an equals sign and a value.
    static let shortestText = 4

    /// Returns whether text is so short and simple that ``scan(_:as:namesEnd:)`` finds no secret.
    static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
        if text.count < shortestText { return true }
        // Tokens, card numbers and Base64 are the only secrets without syntax.
        guard text.count < min(TokenPattern.shortest, CardNumber.least, Base64Candidate.least) else { return false }
        let kinds = ByteKind.table
        for byte in text where kinds[Int(byte)] != .other && kinds[Int(byte)] != .word { return false }
        return true
    }

    /// Returns the edits that redact text of unknown format.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The kind of text; prose by default.
    ///   - isTable: Whether the media type is CSV or TSV.
    /// - Returns: The edits, in order.
    mutating func textEdits(
        in text: UnsafeRawBufferPointer, as style: TextStyle = .prose, isTable: Bool = false
    ) -> [TextEdit] {
        let table = style == .prose ? frameEdits(in: text) + tableEdits(in: text, isDeclared: isTable) : []
        let textEnd = style == .prose ? Self.textEnd(in: text) : text.count
        let rest = text[from: textEnd]
        let found = scan(text[from: 0, to: textEnd], as: style) + scan(rest, as: .binary).map { $0.moved(by: textEnd) }
        return (table + found + otherEdits(in: text)).inOrder
    }

    /// Returns the end offset of the text with which data begins.
    ///
    /// In many formats, binary data follows it. Text such as a log contains at most a few control characters. Redaction
    /// does not change their number, so redacted data is searched like the original.
    static func textEnd(in data: UnsafeRawBufferPointer) -> Int {
        let first = runEnd(in: data, from: 0)
        var end = first
        for _ in 0..<15 where end < data.count { end = runEnd(in: data, from: end + 1) }
        return end < data.count ? first : data.count
    }

    /// Returns the offset of the next control character that is not part of text, or the end of the data.
    static func runEnd(in data: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < data.count {
            if offset &+ 32 <= data.count,
                !data.loadUnaligned(fromByteOffset: offset, as: SIMD4<UInt64>.self).hasControls
            {
                offset &+= 32
            } else if data[offset] < 0x20, !controls.contains(data[offset]) {
                return offset
            } else {
                offset &+= 1
            }
        }
        return offset
    }

    /// The control characters in text, with those for terminals, and null bytes in PHP's serialization format.
    private static let controls = ByteSet("\0\u{7}\u{8}\t\n\u{B}\u{C}\r\u{1B}\u{1E}")

    /// Whether bytes in any encoding that extends ASCII begin with text.
    static func beginsWithText(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let start = bytes[from: 0, to: min(64, bytes.count)]
        return runEnd(in: start, from: 0) == start.count && start.firstOffset(of: 0) == nil
    }

    /// Returns the edits that replace secrets recognized elsewhere and matches of the user's patterns.
    mutating func otherEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        settled.add(text)
        if !repeated.isEmpty { edits += repeatedEdits(in: text) }
        if !rules.patterns.isEmpty {
            let placeholders = Placeholder.ranges(in: text)
            for range in rules.patterns.ranges(in: text) {
                let isPlaceholder = placeholders.contains {
                    $0.lowerBound <= range.lowerBound && range.upperBound <= $0.upperBound
                }
                if !isPlaceholder { add(&edits, .pattern, range, in: text) }
            }
        }
        return edits
    }

    /// The state of a search through text.
    struct TextScan {
        /// The kind of text.
        var style: TextStyle

        /// The offset up to which names have been processed by the rules for URLs and forms.
        var namesEnd = 0

        /// The offset at which the search for Base64 continues.
        var base64End = 0

        /// The offset up to which escape sequences have been decoded.
        var decodedEnd = 0

        /// The end offset of the last word after an equals sign.
        var wordEnd = 0

        /// The number of names in that word.
        var wordNames = 0

        /// The offset at which the last script in markup begins, after its tag.
        var scriptStart = 0

        /// The offset at which a script in markup ends.
        var scriptEnd = 0

        /// The end offset of the last SQL statement's values.
        var listEnd = 0

        /// The name of the current list of choices in markup, if it belongs to a secret.
        var listName: String?

        /// The offset of the value after the last key in PHP's serialization format, and the name of that value.
        var serialized: (start: Int, name: Range<Int>?) = (0, nil)

        /// The search for tokens.
        var tokens = TokenSearch()

        /// The table of byte pairs at the start of tokens; see ``TokenSearch/isStart``.
        let isStart = TokenSearch.isStart

        /// The Base64 class of each byte.
        let classes = Base64Candidate.classes

        /// The name for the value in the next XML element, if the last element contained the name of a secret.
        var pendingName: String?

        /// The edits so far.
        var edits: [TextEdit] = []
    }

    /// Returns the edits that replace the secrets in text, found in one pass.
    ///
    /// URLs, named values, tokens, JSON, XML, Base64 and other encodings are recognized in text of any kind.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The kind of text; prose by default.
    ///   - namesEnd: The offset up to which names have already been processed; 0 by default.
    /// - Returns: The edits, in no particular order. They may overlap.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    mutating func scan(
        _ text: UnsafeRawBufferPointer, as style: TextStyle = .prose, namesEnd: Int = 0
    ) -> [TextEdit] {
        guard text.count >= Self.shortestText else { return [] }
        return ByteKind.table.withUnsafeBufferPointer { kinds in
            TokenSearch.isStart.withUnsafeBufferPointer { isStart in
                Base64Candidate.classes.withUnsafeBufferPointer { classes in
                    var offset = Self.plainEnd(in: text, from: 0, kinds, isStart, classes)
                    // Most short strings end here.
                    if offset == text.count { return [] }
                    var state = TextScan(style: style, namesEnd: namesEnd)
                    while offset < text.count {
                        let end = pass(kinds[Int(text[offset])], in: text, at: offset, &state)
                        offset = Self.plainEnd(in: text, from: end, kinds, isStart, classes)
                    }
                    return state.edits
                }
            }
        }
    }

    /// Returns the offset of the next byte at which syntax or a token may begin, or the end of the text.
    @inline(__always)
    private static func plainEnd(
        in text: UnsafeRawBufferPointer, from start: Int, _ kinds: UnsafeBufferPointer<ByteKind>,
        _ isStart: UnsafeBufferPointer<Bool>, _ classes: UnsafeBufferPointer<UInt8>
    ) -> Int {
        var offset = start
        while offset < text.count {
            let kind = kinds[Int(text[offset])]
            if kind == .other {
                offset &+= 1
            } else if kind == .word, let end = plainWordEnd(in: text, from: offset, isStart, classes) {
                offset = end
            } else {
                break
            }
        }
        return offset
    }

    /// Returns the end offset of a word that is neither the start of a token nor long enough for Base64, as most words
    /// are; nil for other words.
    @inline(__always)
    private static func plainWordEnd(
        in text: UnsafeRawBufferPointer, from start: Int, _ isStart: UnsafeBufferPointer<Bool>,
        _ classes: UnsafeBufferPointer<UInt8>
    ) -> Int? {
        guard !isStart[TokenSearch.pair(in: text, at: start)], !CardNumber.mayBegin(in: text, at: start) else {
            return nil
        }
        var end = start &+ 1
        while end < text.count, text[end].isPartOfWord { end &+= 1 }
        // Base64 can extend over several words.
        var runEnd = end
        while runEnd &- start < Base64Candidate.least, runEnd < text.count, classes[Int(text[runEnd])] != 0 {
            runEnd &+= 1
        }
        return runEnd &- start < Base64Candidate.least ? end : nil
    }

    /// The kind of a byte, which determines the syntax that may begin there.
    private enum ByteKind: UInt8 {
        case other, word, hyphen, equals, colon, slash, angle, percent, ampersand, backslash, bracket, parenthesis

        static let table: [ByteKind] = (0...255).map { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "-"): .hyphen
            case UInt8(ascii: "="): .equals
            case UInt8(ascii: ":"): .colon
            case UInt8(ascii: "/"): .slash
            case UInt8(ascii: "<"): .angle
            case UInt8(ascii: "%"): .percent
            case UInt8(ascii: "&"): .ampersand
            case UInt8(ascii: "\\"): .backslash
            case UInt8(ascii: "{"), UInt8(ascii: "["): .bracket
            case UInt8(ascii: "("): .parenthesis
            default: byte.isPartOfWord ? .word : .other
            }
        }
    }

    /// Processes the byte at an offset and the syntax that begins there.
    ///
    /// Inlining this function would add its cases to the loop of ``scan(_:as:namesEnd:)``, in which a jump table takes
    /// longer than comparing the kinds of most bytes.
    ///
    /// - Returns: The offset at which to continue.
    @inline(never)
    private mutating func pass(
        _ kind: ByteKind, in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan
    ) -> Int {
        switch kind {
        case .other: return offset + 1
        case .word: return passWord(in: text, at: offset, &state)
        case .hyphen:
            if let end = passNonce(in: text, at: offset, &state) { return end }
            guard rules.configuration.detectsKnownSecrets, offset + 1 < text.count, text[offset + 1] == text[offset],
                let token = state.tokens.token(in: text, at: offset)
            else { return offset + 1 }
            add(&state.edits, token.kind, token.range, in: text)
            return token.range.upperBound
        case .equals: return passEquals(in: text, at: offset, &state)
        case .colon: return passColon(in: text, at: offset, &state)
        case .slash: return passSlash(in: text, at: offset, &state)
        case .parenthesis: return passParenthesis(in: text, at: offset, &state)
        case .angle: return passTag(in: text, at: offset, &state)
        case .percent: return passPercent(in: text, at: offset, &state)
        case .ampersand: return passReference(in: text, at: offset, &state)
        case .backslash: return passEscape(in: text, at: offset, &state)
        case .bracket:
            let next = JSONTextBounds.skipBlanks(in: text, from: offset + 1)
            guard next < text.count, offset >= state.decodedEnd else { return offset + 1 }
            let isElement = text[offset] == UInt8(ascii: "[") && "{[".utf8.contains(text[next])
            guard isElement || text[next] == UInt8(ascii: "\"") else { return offset + 1 }
            // Random bytes after a quotation mark are not a string.
            let limit = state.style == .binary ? Self.runEnd(in: text, from: offset) : text.count
            let json = text[from: 0, to: limit]
            return max(offset + 1, passJSON(in: json, from: offset, isStrict: true, inheriting: nil, &state.edits))
        }
    }

    /// Processes the word at an offset.
    private mutating func passWord(
        in text: UnsafeRawBufferPointer, at start: Int, _ state: inout TextScan
    ) -> Int {
        if state.isStart[TokenSearch.pair(in: text, at: start)] || CardNumber.mayBegin(in: text, at: start),
            !skipsTokens, rules.configuration.detectsKnownSecrets,
            let token = state.tokens.token(in: text, at: start)
        {
            add(&state.edits, token.kind, token.range, in: text)
            return token.range.upperBound
        }
        var end = start + 1
        while end < text.count, text[end].isPartOfWord { end &+= 1 }
        guard start >= state.base64End, depth < Self.deepest else { return end }
        // A short word can be Base64 only if another Base64 character follows it.
        if end < text.count, state.classes[Int(text[end])] == 0, end - start < Base64Candidate.least { return end }
        let (runEnd, found) = Base64Candidate.run(in: text, from: start, state.classes)
        state.base64End = runEnd
        for candidate in Base64Candidate.candidates(in: text, start..<runEnd, found) {
            if let edit = base64Edit(candidate, in: text) {
                state.edits.append(edit)
                end = max(end, edit.range.upperBound)
            }
        }
        return end
    }

    /// Appends an edit that replaces a secret recognized by its format or by a pattern.
    mutating func add(
        _ edits: inout [TextEdit], _ kind: HARRedactor.Kind, _ range: Range<Int>, in text: UnsafeRawBufferPointer
    ) {
        var secret = [UInt8](text[range])
        // Ignore the grouping of the digits, so that equal card numbers get equal placeholders.
        if kind == .cardNumber { secret.removeAll { !$0.isDigit } }
        if let placeholder = placeholder(for: secret, kind) {
            edits.append(TextEdit(range: range, replacement: placeholder))
        }
    }

    /// Returns the edits that replace secrets recognized elsewhere, including percent-encoded occurrences.
    private mutating func repeatedEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        let edits = literalEdits(in: text)
        // The decoded bytes and their offsets need five times as much memory as the text.
        guard text.count < Self.largestDecoded, text.firstOffset(of: UInt8(ascii: "%")) != nil else { return edits }
        let decoded = DecodedText(percentEncoded: text, isForm: false)
        guard decoded.bytes.count < text.count else { return edits }
        return edits + decoded.escaped(decoded.bytes.withUnsafeBytes { literalEdits(in: $0) })
    }

    /// Returns the edits that replace secrets recognized elsewhere, as they are.
    private mutating func literalEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        repeated.matches(in: text).compactMap { range, secret in
            placeholder(for: secret, .repetition).map { TextEdit(range: range, replacement: $0) }
        }
    }

    static let largestDecoded = 1 << 24
}

extension SIMD4<UInt64> {
    /// Whether a byte is a control character other than null and those from 7 to 13.
    fileprivate var hasControls: Bool {
        let ones = Self(repeating: 0x0101_0101_0101_0101)
        let high = ones &<< 7
        let low = self & ~high
        // The highest bit of each byte tells whether the other bits are at least a limit.
        func least(_ limit: UInt64) -> Self { low &+ ones &* (0x80 &- limit) }
        let controls = (least(1) & ~least(7) | least(14) & ~least(0x20)) & ~self & high
        return controls[0] | controls[1] | controls[2] | controls[3] != 0
    }
}
