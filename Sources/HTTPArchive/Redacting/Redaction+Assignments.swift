extension Redaction {
    /// The maximum length of a name in text, in bytes.
    private static let longestName = 64

    /// The maximum length of a value in text, in bytes.
    private static let longestValue = 1 << 16

    /// The maximum number of names in a word.
    private static let mostNames = 32

    /// Processes an equals sign, which may separate a name and a value: `password=x`, `password = "x"`,
    /// `'password' => 'x'`.
    mutating func passEquals(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.namesEnd else { return offset + 1 }
        let next = offset + 1 < text.count ? text[offset + 1] : 0x20
        if next == UInt8(ascii: "=") { return offset + 2 }
        let isArrow = next == UInt8(ascii: ">")
        if isArrow, state.style == .code { return offset + 1 }
        guard let name = candidate(in: text, before: offset, as: state.style) else {
            return offset + 1
        }
        var start = offset + (isArrow ? 2 : 1)
        let isApart = name.upperBound < offset
        if isApart || isArrow { start = Self.skipSpaces(in: text, from: start) }
        if isArrow { start = Self.dumpedStart(in: text, from: start) }
        guard start < text.count else { return offset + 1 }
        let before = name.lowerBound > 0 ? text[name.lowerBound - 1] : 0x20
        let isInURL = "?&;#".utf8.contains(before)
        if Self.isQuote(text[start]) {
            // The quotation mark ends a string literal before a variable, as in `"?token="+t+"&n"`.
            if !isApart, isInURL || before == text[start] { return offset + 1 }
            return passQuoted(in: text, named: name, at: start, &state) ?? offset + 1
        }
        // This limit keeps the search linear in words with many names, such as `a=b=c=d`.
        state.wordNames = start < state.wordEnd ? state.wordNames + 1 : 0
        guard state.wordNames < Self.mostNames else { return offset + 1 }
        let end = Self.wordEnd(in: text, from: start, isInURL: isInURL, isMatrix: before == UInt8(ascii: ";"))
        guard end > start else { return offset + 1 }
        state.wordEnd = max(state.wordEnd, end)
        let value = [UInt8](text[start..<end])
        if value.last == UInt8(ascii: "("), end < text.count, Self.isQuote(text[end]), state.style == .prose {
            guard end >= state.listEnd else { return offset + 1 }
            let function = value.dropLast().map(\.lowercase)
            let isLookup = Self.lookups.contains { function.suffix($0.count).elementsEqual($0) }
            state.listEnd = passValues(in: text, at: end - 1, isLookup: isLookup, { _ in name }, &state)
            return offset + 1
        }
        let isWord: Bool
        // The attributes of `script` and `style` precede the code.
        switch offset < state.scriptStart ? .html : state.style {
        case .prose: isWord = true
        case .binary: isWord = Self.isLikelyText(value)
        case .xml, .html: isWord = isInURL || !SecretValue.isProse(value)
        case .code: isWord = SecretValue.looksRandom(value, least: isInURL ? 6 : 16) && !Self.isCall(in: text, at: end)
        }
        guard isWord else { return offset + 1 }
        let isEncoded = value.contains(UInt8(ascii: "%"))
        let secret = isEncoded ? Self.formBytes(text[from: start, to: end]) : value
        return replace(start..<end, secret, in: text, named: name, &state) ?? offset + 1
    }

    /// The ends of functions whose first argument is the name of a value, as in `env('DB_PASSWORD')`.
    private static let lookups = ["env", "get", "input", "request", "config", "parameter", "old"].map { Array($0.utf8) }

    /// Returns the offset of a value that PHP's `var_dump` prints after an arrow, as in `=>\n  string(7) "hunter2"`.
    private static func dumpedStart(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        let type = JSONTextBounds.skipBlanks(in: text, from: start)
        let rest = text[from: type, to: min(text.count, type + 20)]
        guard rest.starts(with: "string(".utf8), let close = rest.firstOffset(of: UInt8(ascii: ")")) else {
            return start
        }
        return skipSpaces(in: text, from: type + close + 1)
    }

    /// Processes a colon, which may follow a scheme or a name: `https://`, `"password":"x"`, `password: x`.
    mutating func passColon(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.namesEnd else { return offset + 1 }
        if offset + 2 < text.count, text[offset + 1] == UInt8(ascii: "/"), text[offset + 2] == UInt8(ascii: "/") {
            return passURL(in: text, at: offset, &state)
        }
        if let end = passSerialized(in: text, at: offset, &state) { return end }
        guard let name = candidate(in: text, before: offset, as: state.style) else {
            return offset + 1
        }
        let isQuoted = name.upperBound < offset && Self.isQuote(text[name.upperBound])
        let before = name.lowerBound > 0 ? text[name.lowerBound - 1] : 0x0A
        let start =
            isQuoted || state.style == .code
            ? JSONTextBounds.skipBlanks(in: text, from: offset + 1) : Self.skipSpaces(in: text, from: offset + 1)
        guard start < text.count else { return offset + 1 }
        let first = text[start]
        if Self.isQuote(first) { return passQuoted(in: text, named: name, at: start, &state) ?? offset + 1 }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard isQuoted else { return offset + 1 }
            let inherited = String(decoding: text[name], as: UTF8.self)
            let end = passJSON(in: text, from: start, isStrict: true, inheriting: inherited, &state.edits)
            return max(offset + 1, end)
        }
        if state.style == .prose, !isQuoted, let end = passCookies(in: text, named: name, at: start, &state) {
            return end
        }
        var end = Self.wordEnd(in: text, from: start, isInURL: false, isMatrix: false)
        let scheme = Self.credentialsStart(in: [UInt8](text[start..<min(text.count, end + 64)]))
        let begin = scheme > 0 && start + scheme < text.count ? start + scheme : start
        if begin > start { end = Self.wordEnd(in: text, from: begin, isInURL: false, isMatrix: false) }
        guard end > begin else { return offset + 1 }
        let value = [UInt8](text[begin..<end])
        let isWord: Bool
        if begin > start {
            isWord = true
        } else if isQuoted {
            isWord = value[0].isDigit || SecretValue.looksRandom(value)
        } else {
            isWord =
                state.style != .code
                ? (start > offset + 1 || before.isBlank)
                    && (!SecretValue.isProse(value)
                        || !SecretWords.ofLanguage.contains(text[name].map(\.lowercase)))
                    || SecretValue.looksRandom(value, least: 8)
                : SecretValue.looksRandom(value) && !Self.isCall(in: text, at: end)
        }
        if state.style == .binary, !Self.isLikelyText(value) { return offset + 1 }
        guard isWord else { return offset + 1 }
        return replace(begin..<end, value, in: text, named: name, &state) ?? offset + 1
    }

    /// Processes a `Cookie` or `Set-Cookie` line.
    private mutating func passCookies(
        in text: UnsafeRawBufferPointer, named name: Range<Int>, at start: Int, _ state: inout TextScan
    ) -> Int? {
        let field = String(decoding: text[name], as: UTF8.self)
        guard Self.isCookieField(field) else { return nil }
        let line = text[start...].prefix { $0 != 0x0A && $0 != 0x0D }
        guard line.contains(UInt8(ascii: "=")) else { return nil }
        state.edits += headerEdits(in: text[from: start, to: line.endIndex], named: field).map { $0.moved(by: start) }
        return line.endIndex
    }

    /// Processes a quoted value.
    ///
    /// - Returns: The end offset of the value, or nil if it is not a secret.
    mutating func passQuoted(
        in text: UnsafeRawBufferPointer, named name: Range<Int>, at quote: Int, _ state: inout TextScan
    ) -> Int? {
        let limit = text[from: 0, to: min(text.count, quote + Self.longestValue)]
        let isMarkup = state.style == .xml || state.style == .html
        var (end, hasEscape) = JSONTextBounds.literalEnd(in: limit, from: quote)
        if hasEscape, isMarkup {
            // In attributes, a backslash is an ordinary character.
            end = limit[from: quote + 1].firstOffset(of: text[quote]).map { quote + $0 + 2 } ?? limit.count
            hasEscape = false
        }
        guard end > quote + 1 else { return nil }
        let isClosed = limit[end - 1] == text[quote]
        let range = quote + 1..<(isClosed ? end - 1 : end)
        let inside = text[rebasing: range]
        if state.style == .binary, !inside.allSatisfy({ 0x20...0x7E ~= $0 }) { return nil }
        // In code and markup, a sentence is a label or an error message, not a secret.
        if state.style != .prose, !Self.isQuoted(in: text, name), SecretValue.isSentence(inside) { return nil }
        let isEscaped = isMarkup && inside.firstOffset(of: UInt8(ascii: "&")) != nil
        let secret =
            isEscaped
            ? DecodedText(markup: inside).bytes
            : hasEscape ? DecodedText(json: inside).bytes : inside.withoutDoubled(text[quote])
        return replace(range, secret, in: text, named: name, &state, isEscaped: hasEscape)
    }

    /// Appends an edit that replaces a named value.
    ///
    /// - Returns: The end offset of the value, or nil if it is not a secret.
    private mutating func replace(
        _ range: Range<Int>, _ secret: [UInt8], in text: UnsafeRawBufferPointer, named name: Range<Int>,
        _ state: inout TextScan, isEscaped: Bool = false
    ) -> Int? {
        guard range.lowerBound >= state.decodedEnd else { return nil }
        let bytes = text[rebasing: name]
        let label = String(decoding: Self.formBytes(bytes), as: UTF8.self)
        // Code often maps a name to itself, as in `accesskey: "accessKey"`.
        if state.style == .code,
            SecretNames.folded(label) == SecretNames.folded(String(decoding: secret, as: UTF8.self))
        {
            return nil
        }
        guard let replacement = replacement(for: secret, named: label, in: .text) else { return nil }
        let escaped = isEscaped ? DecodedText.escapedForJSON(replacement) : replacement
        state.edits.append(TextEdit(range: range, replacement: escaped))
        return range.upperBound
    }

    /// Processes a nonce in a content security policy, such as `script-src 'nonce-x'`.
    ///
    /// - Returns: The end offset of the nonce, or nil if the hyphen has another meaning.
    mutating func passNonce(in text: UnsafeRawBufferPointer, at hyphen: Int, _ state: inout TextScan) -> Int? {
        guard hyphen >= 6, text[hyphen - 1] | 0x20 == UInt8(ascii: "e"), text[hyphen - 6] == UInt8(ascii: "'"),
            text[hyphen - 5..<hyphen].elementsEqual("nonce".utf8, by: { $0.lowercase == $1 })
        else { return nil }
        let end = Self.wordEnd(in: text, from: hyphen + 1, isInURL: false, isMatrix: false)
        return replace(hyphen + 1..<end, [UInt8](text[hyphen + 1..<end]), in: text, named: hyphen - 5..<hyphen, &state)
    }

    /// Processes a call that gives a value a name, such as `define('PASSWORD', 'x')`.
    ///
    /// - Returns: The end offset of the value, or nil if the parenthesis has another meaning.
    mutating func passDefinition(
        in text: UnsafeRawBufferPointer, at open: Int, quote: Int, _ state: inout TextScan
    ) -> Int? {
        var start = open
        while start > 0, open - start < 20, text[start - 1].isPartOfWord { start -= 1 }
        let function = text[start..<open]
        guard Self.definitions.contains(where: { function.elementsEqual($0) { $0.lowercase == $1 } }),
            let length = text[from: quote + 1, to: min(text.count, quote + Self.longestName)].firstOffset(
                of: text[quote])
        else { return nil }
        let name = quote + 1..<quote + 1 + length
        let comma = JSONTextBounds.skipBlanks(in: text, from: name.upperBound + 1)
        guard comma < text.count, text[comma] == UInt8(ascii: ","), isCandidate(in: text, name, as: state.style) else {
            return nil
        }
        let value = JSONTextBounds.skipBlanks(in: text, from: comma + 1)
        guard value < text.count, Self.isQuote(text[value]), !SecretValue.isSentence(text[from: value + 1])
        else { return nil }
        return passQuoted(in: text, named: name, at: value, &state)
    }

    private static let definitions =
        ["define", "setenv", "putenv", "setitem", "setheader", "setrequestheader", "append", "set", "put"]
        .map { Array($0.utf8) }

    /// Processes a string in PHP's serialization format, such as `s:7:"hunter2";`, which contains its length in bytes.
    ///
    /// - Returns: The end offset of the string, or nil if the colon has another meaning.
    private mutating func passSerialized(
        in text: UnsafeRawBufferPointer, at colon: Int, _ state: inout TextScan
    ) -> Int? {
        guard colon + 2 < text.count, text[colon + 1] == UInt8(ascii: "\""), colon >= 3, text[colon - 1].isDigit else {
            return nil
        }
        var digits = colon
        while digits > 2, colon - digits < 10, text[digits - 1].isDigit { digits -= 1 }
        let start = digits - 2
        guard text[digits - 1] == UInt8(ascii: ":"), text[start] == UInt8(ascii: "s"), start >= state.decodedEnd,
            let length = Int(String(decoding: text[digits..<colon], as: UTF8.self)),
            colon + 2 + length < text.count, text[colon + 2 + length] == UInt8(ascii: "\"")
        else { return nil }
        let range = colon + 2..<colon + 2 + length
        let inside = text[rebasing: range]
        // PHP separates a variable of a session from its value with a vertical bar.
        let isVariable = start > 0 && text[start - 1] == UInt8(ascii: "|")
        let isValue = start == state.serialized.start || isVariable
        let name = isVariable ? Self.name(in: text, before: start - 1) : isValue ? state.serialized.name : nil
        // Private properties begin with the name of their class between null bytes.
        let ownName = range.lowerBound + (inside.lastIndex(of: 0).map { $0 + 1 } ?? 0)..<range.upperBound
        let isSecret = !isValue && isCandidate(in: text, ownName, as: .prose)
        state.serialized = isValue ? (0, nil) : (range.upperBound + 2, isSecret ? ownName : nil)
        let new: [UInt8]?
        if let name,
            let edit = edit(range, named: String(decoding: text[name], as: UTF8.self), in: .text, [UInt8](inside))
        {
            new = edit.replacement
        } else {
            let edits = deeper { $0.textEdits(in: inside) }
            new = edits.isEmpty ? nil : edits.applied(to: inside)
        }
        if let new {
            let replacement = Array("\(new.count):\"".utf8) + new
            state.edits.append(TextEdit(range: digits..<range.upperBound, replacement: replacement))
        }
        return range.upperBound + 1
    }

    /// Returns the range of the name before a separator, or nil if its value is not a secret.
    private func candidate(
        in text: UnsafeRawBufferPointer, before separator: Int, as style: TextStyle
    ) -> Range<Int>? {
        let name = Self.name(in: text, before: separator, isASCII: style == .binary)
        return name.flatMap { isCandidate(in: text, $0, as: style) ? $0 : nil }
    }

    private func isCandidate(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, as style: TextStyle
    ) -> Bool {
        guard style != .binary || range.count > 4 else { return false }
        let name = text[rebasing: range]
        // In HTML, the `accesskey` attribute defines a keyboard shortcut.
        if style == .html, name.elementsEqual("accesskey".utf8) { return false }
        if name.firstOffset(of: UInt8(ascii: "%")) == nil { return isCandidate(name, in: .text) }
        return Self.formBytes(name).withUnsafeBytes { isCandidate($0, in: .text) }
    }

    /// Whether a word in binary data is probably text.
    private static func isLikelyText(_ word: [UInt8]) -> Bool {
        word.count > 3 && word.allSatisfy { 0x21...0x7E ~= $0 }
    }

    /// Whether the name is in quotation marks.
    private static func isQuoted(in text: UnsafeRawBufferPointer, _ name: Range<Int>) -> Bool {
        name.upperBound < text.count && isQuote(text[name.upperBound])
    }

    // MARK: Bounds

    /// Returns the range of the name before a separator, without quotation marks, or nil if the name is missing, too
    /// short or too long.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - separator: The offset of the separator.
    ///   - isASCII: Whether other bytes than ASCII characters precede the name; by default, they are part of it.
    /// - Returns: The range.
    static func name(
        in text: UnsafeRawBufferPointer, before separator: Int, isASCII: Bool = false
    ) -> Range<Int>? {
        var end = separator
        while end > 0, text[end - 1] == 0x20 || text[end - 1] == 0x09, separator - end < 8 { end -= 1 }
        guard end > 1 else { return nil }
        // Skip the end of a subscript, such as `headers["X-Api-Key"] = "x"`.
        if text[end - 1] == UInt8(ascii: "]"), isQuote(text[end - 2]) { end -= 1 }
        if isQuote(text[end - 1]) { end -= 1 }
        var start = end
        let least = max(0, end - longestName)
        let nameCharacters = isASCII ? asciiNameCharacters : nameCharacters
        while start > least, nameCharacters.contains(text[start - 1]) { start -= 1 }
        if start == least, start > 0, nameCharacters.contains(text[start - 1]) { return nil }
        return end - start >= 2 ? start..<end : nil
    }

    private static let asciiNameCharacters = ByteSet.alphanumerics.union("_-.[]$%@")
    private static let nameCharacters = asciiNameCharacters.withOthers

    /// Returns the end offset of an unquoted value.
    private static func wordEnd(
        in text: UnsafeRawBufferPointer, from start: Int, isInURL: Bool, isMatrix: Bool
    ) -> Int {
        let limit = min(text.count, start + longestValue)
        let valueCharacters = valueCharacters
        var end = start
        while end < limit, valueCharacters.contains(text[end]) {
            if isInURL, text[end] == UInt8(ascii: "#") { break }
            if isMatrix, text[end] == UInt8(ascii: "/") || text[end] == UInt8(ascii: "?") { break }
            end += 1
        }
        // Punctuation at the end of a sentence is not part of the value.
        let isAtEnd = end == text.count || text[end].isBlank
        while isAtEnd, end > start, ".!?".utf8.contains(text[end - 1]) { end -= 1 }
        return end
    }

    private static let valueCharacters = ByteSet.visible.subtracting("&\"'`<>,;)}]|\\")

    /// Whether a call, a subscript, a member access or a plus sign follows a word.
    private static func isCall(in text: UnsafeRawBufferPointer, at end: Int) -> Bool {
        end < text.count && "([.+".utf8.contains(text[end])
    }

    static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
    }

    private static func skipSpaces(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < text.count, text[offset] == 0x20 || text[offset] == 0x09 { offset += 1 }
        return offset
    }
}
