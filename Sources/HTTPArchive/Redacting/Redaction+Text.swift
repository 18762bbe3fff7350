/// The kind of a text, which decides what an unquoted word after a name is.
enum TextStyle {
    /// Sentences, log lines, command lines and unknown texts: a word after `password=` is a secret.
    case prose

    /// XML: a word after a name is a secret unless it is a word of the language.
    case xml

    /// HTML, where `code` and `key` are elements for text.
    case html

    /// Bytes that are not text, in which short names occur by chance.
    case binary

    /// JavaScript and style sheets: a word after a name is a variable, unless it looks random.
    case code
}

extension Redaction {
    /// The length of the shortest text with a secret: a name, an equals sign and a value.
    static let shortestText = 4

    /// Returns the edits in a text of unknown format.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The kind of text; unknown by default.
    /// - Returns: The edits, in order.
    mutating func textEdits(in text: UnsafeRawBufferPointer, as style: TextStyle = .prose) -> [TextEdit] {
        (scan(text, as: style) + otherEdits(in: text)).inOrder
    }

    /// Returns the edits of secrets that were recognized elsewhere, and of matches of the user's patterns.
    mutating func otherEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
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

    /// Returns the edits in the name of a JSON member, in which secrets that were recognized elsewhere remain.
    mutating func nameEdits(in name: UnsafeRawBufferPointer) -> [TextEdit] { scan(name) }

    /// The state of a search through a text.
    struct TextScan {
        /// The kind of the text.
        var style: TextStyle

        /// The offset before which names have been read with the rules of a URL or a form.
        var namesEnd = 0

        /// The offset from which base64 is searched again.
        var base64End = 0

        /// The offset before which escapes have been decoded.
        var decodedEnd = 0

        /// The end offset of the last word after an equals sign.
        var wordEnd = 0

        /// The number of names in that word.
        var wordNames = 0

        /// The offset at which a script in markup ends.
        var scriptEnd = 0

        /// The search for tokens.
        var tokens = TokenSearch()

        /// The pairs of bytes with which a token may begin.
        let isStart = TokenSearch.isStart

        /// The classes of the characters of base64.
        let classes = Base64Candidate.classes

        /// The name of the value in the next XML element, if the last one named a secret.
        var pendingName: String?

        /// The edits so far.
        var edits: [TextEdit] = []
    }

    /// Returns the edits of secrets in a text, found in one pass.
    ///
    /// URLs, names with values, tokens, JSON, XML, base64 and other encodings are found in every text.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - style: The kind of text; unknown by default.
    ///   - namesEnd: The offset before which names have been read already; 0 by default.
    /// - Returns: The edits, in no particular order. They may overlap.
    /// - Complexity: O(*n*) in the length of the text.
    mutating func scan(
        _ text: UnsafeRawBufferPointer, as style: TextStyle = .prose, namesEnd: Int = 0
    ) -> [TextEdit] {
        guard text.count >= Self.shortestText else { return [] }
        var state = TextScan(style: style, namesEnd: namesEnd)
        let kinds = ByteKind.table
        kinds.withUnsafeBufferPointer { kinds in
            var offset = 0
            while offset < text.count {
                let kind = kinds[Int(text[offset])]
                if kind == .other {
                    offset &+= 1
                    continue
                }
                offset = pass(kind, in: text, at: offset, &state)
            }
        }
        return state.edits
    }

    /// The kinds of bytes that may begin or separate something to find.
    private enum ByteKind: UInt8 {
        case other, word, hyphen, equals, colon, angle, percent, ampersand, backslash, bracket

        static let table: [ByteKind] = (0...255).map { (byte: UInt8) in
            switch byte {
            case UInt8(ascii: "-"): .hyphen
            case UInt8(ascii: "="): .equals
            case UInt8(ascii: ":"): .colon
            case UInt8(ascii: "<"): .angle
            case UInt8(ascii: "%"): .percent
            case UInt8(ascii: "&"): .ampersand
            case UInt8(ascii: "\\"): .backslash
            case UInt8(ascii: "{"), UInt8(ascii: "["): .bracket
            default: byte.isPartOfWord ? .word : .other
            }
        }
    }

    /// Processes the byte at an offset, and what it begins.
    ///
    /// - Returns: The offset of the next byte.
    private mutating func pass(
        _ kind: ByteKind, in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan
    ) -> Int {
        switch kind {
        case .other: return offset + 1
        case .word: return passWord(in: text, at: offset, &state)
        case .hyphen:
            guard rules.configuration.detectsKnownSecrets, offset + 1 < text.count, text[offset + 1] == text[offset],
                let token = state.tokens.token(in: text, at: offset)
            else { return offset + 1 }
            add(&state.edits, token.kind, token.range, in: text)
            return token.range.upperBound
        case .equals: return passEquals(in: text, at: offset, &state)
        case .colon: return passColon(in: text, at: offset, &state)
        case .angle: return passTag(in: text, at: offset, &state)
        case .percent: return passPercent(in: text, at: offset, &state)
        case .ampersand: return passReference(in: text, at: offset, &state)
        case .backslash: return passEscape(in: text, at: offset, &state)
        case .bracket:
            let next = JSONTextBounds.skipBlanks(in: text, from: offset + 1)
            guard next < text.count, offset >= state.decodedEnd else { return offset + 1 }
            switch text[next] {
            case UInt8(ascii: "\""): break
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if text[offset] == UInt8(ascii: "{") { return offset + 1 }
            default: return offset + 1
            }
            return max(offset + 1, passJSON(in: text, from: offset, isStrict: true, inheriting: nil, &state.edits))
        }
    }

    /// Processes the word at an offset.
    private mutating func passWord(
        in text: UnsafeRawBufferPointer, at start: Int, _ state: inout TextScan
    ) -> Int {
        if state.isStart[TokenSearch.pair(in: text, at: start)], !skipsTokens,
            rules.configuration.detectsKnownSecrets, let token = state.tokens.token(in: text, at: start)
        {
            add(&state.edits, token.kind, token.range, in: text)
            return token.range.upperBound
        }
        var end = start + 1
        while end < text.count, text[end].isPartOfWord { end &+= 1 }
        guard start >= state.base64End, depth < Self.deepest else { return end }
        // A run of base64 ends at the same offset, or continues with one of these characters.
        if end < text.count, state.classes[Int(text[end])] == 0, end - start < Base64Candidate.least { return end }
        var runEnd = start
        var found: UInt8 = 0
        while runEnd < text.count {
            let character = state.classes[Int(text[runEnd])]
            if character == 0 { break }
            found |= character
            runEnd &+= 1
        }
        state.base64End = runEnd
        for candidate in Base64Candidate.candidates(in: text, start..<runEnd, found) {
            if let edit = base64Edit(candidate, in: text) {
                state.edits.append(edit)
                end = max(end, edit.range.upperBound)
            }
        }
        return end
    }

    /// Adds the edit of a secret that is recognized by its format.
    mutating func add(
        _ edits: inout [TextEdit], _ kind: HARRedactor.Kind, _ range: Range<Int>, in text: UnsafeRawBufferPointer
    ) {
        var secret = [UInt8](text[range])
        // The same number is the same secret, regardless of the grouping of its digits.
        if kind == .cardNumber { secret.removeAll { !$0.isDigit } }
        if let placeholder = placeholder(for: secret, kind) {
            edits.append(TextEdit(range: range, replacement: placeholder))
        }
    }

    /// Returns the edits of secrets that were recognized elsewhere, in any percent-encoded form.
    private mutating func repeatedEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        for match in repeated.matches(in: text) {
            guard let placeholder = placeholder(for: match.secret, .repetition) else { continue }
            edits.append(TextEdit(range: match.range, replacement: placeholder))
        }
        // The offsets of the decoded bytes take eight times the memory of the text.
        guard text.count < Self.largestDecoded, text.firstOffset(of: UInt8(ascii: "%")) != nil else { return edits }
        let decoded = DecodedText(percentEncoded: text, isForm: false)
        guard decoded.bytes.count < text.count else { return edits }
        for match in decoded.bytes.withUnsafeBytes({ repeated.matches(in: $0) }) {
            guard let placeholder = placeholder(for: match.secret, .repetition) else { continue }
            edits += decoded.escaped([TextEdit(range: match.range, replacement: placeholder)])
        }
        return edits
    }

    private static let largestDecoded = 1 << 24
}
