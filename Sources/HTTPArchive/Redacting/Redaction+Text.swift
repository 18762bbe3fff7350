extension Redaction {
    /// Returns the edits in a text of unknown format.
    ///
    /// JSON and GraphQL are recognized by their first characters. URLs, tokens, base64 and matches of the user's
    /// patterns are found in every text.
    mutating func textEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits = plainEdits(in: text)
        if Self.beginsLikeJSON(text) { edits += jsonEdits(in: text) }
        if Self.isGraphQL(text) { edits += graphQLEdits(in: text) }
        return edits.inOrder
    }

    /// Whether a text begins like a JSON object or array.
    static func beginsLikeJSON(_ text: UnsafeRawBufferPointer) -> Bool {
        let start = JSONTextBounds.skipBlanks(in: text, from: 0)
        return start < text.count && (text[start] == UInt8(ascii: "{") || text[start] == UInt8(ascii: "["))
    }

    /// Returns the edits that do not depend on the format of the text.
    mutating func plainEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        if rules.configuration.detectsKnownSecrets {
            for token in TokenSearch.tokens(in: text) { add(&edits, token.kind, token.range, in: text) }
        }
        if !repeated.isEmpty { edits += repeatedEdits(in: text) }
        if !rules.patterns.isEmpty {
            let placeholders = Placeholder.ranges(in: text)
            for range in rules.patterns.ranges(in: text) where !placeholders.contains(where: { $0.contains(range) }) {
                add(&edits, .pattern, range, in: text)
            }
        }
        edits += embeddedURLEdits(in: text)
        if depth < Self.deepest { edits += base64Edits(in: text) }
        return edits
    }

    private mutating func add(
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

    /// Returns the edits in the URLs within a text.
    private mutating func embeddedURLEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        var offset = 0
        let endsURL = Self.endsURL
        while let found = text[from: offset].firstOffset(of: URLRanges.schemeMark) {
            let mark = offset + found
            var start = mark
            while start > offset, text[start - 1].isPartOfScheme { start -= 1 }
            var end = mark + URLRanges.schemeMark.count
            while end < text.count, !endsURL[Int(text[end])] { end += 1 }
            edits += namedURLEdits(in: text[from: start, to: end]).map { $0.moved(by: start) }
            offset = end
        }
        return edits
    }

    private static let endsURL: [Bool] = (0...255).map { byte in
        byte <= 0x20 || byte == 0x7F || "\"'<>\\`{}|^)".utf8.contains(byte)
    }

    /// Returns the edits in a URL: edits that apply to any text, and edits that depend on the names of its items.
    mutating func urlEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits = plainEdits(in: text) + namedURLEdits(in: text)
        let path = URLRanges(text).path
        let inside = text[from: path.lowerBound, to: path.upperBound]
        if inside.firstOffset(of: UInt8(ascii: "%")) != nil {
            edits += self.edits(in: DecodedText(percentEncoded: inside, isForm: false), at: path.lowerBound)
        }
        return edits.inOrder
    }

    /// Returns the edits of the password and of the items in the query and the fragment of a URL.
    private mutating func namedURLEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        let ranges = URLRanges(text)
        var edits = userEdits(in: text, ranges.user)
        for range in [ranges.query, ranges.fragment] where range.count > 1 {
            let items = text[from: range.lowerBound, to: range.upperBound]
            edits += formEdits(in: items, as: .query).map { $0.moved(by: range.lowerBound) }
        }
        return edits
    }

    /// Returns the edit of a password.
    ///
    /// A user name is unchanged, unless it has no password and looks like a token. In messages, the mask replaces both.
    private mutating func userEdits(in text: UnsafeRawBufferPointer, _ range: Range<Int>) -> [TextEdit] {
        if let mask = rules.mask {
            return range.isEmpty || text[range].elementsEqual(mask.user)
                ? [] : [TextEdit(range: range, replacement: mask.user)]
        }
        guard rules.configuration.redactsKnownNames, range.count > 1 else { return [] }
        let user = range.lowerBound..<range.upperBound - 1
        var secret = user
        if let colon = text[user].firstIndex(of: UInt8(ascii: ":")), colon + 1 < user.upperBound {
            secret = colon + 1..<user.upperBound
        } else if !RedactionRules.looksRandom([UInt8](text[user].filter { $0 != UInt8(ascii: ":") })) {
            return []
        } else if text[user.upperBound - 1] == UInt8(ascii: ":") {
            secret = user.lowerBound..<user.upperBound - 1
        }
        let bytes = DecodedText(percentEncoded: text[from: secret.lowerBound, to: secret.upperBound], isForm: false)
        return placeholder(for: bytes.bytes, .password).map { [TextEdit(range: secret, replacement: $0)] } ?? []
    }

    /// Returns the edits of base64 that contains a secret.
    private mutating func base64Edits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        let isASCII = rules.isASCII && repeated.isASCII
        for run in Base64Candidate.runs(in: text) {
            guard let bytes = run.decoded(in: text), !isASCII || Self.hasText(bytes) else { continue }
            let inner = self.edits(inUnescaped: bytes)
            if inner.isEmpty { continue }
            let redacted = bytes.withUnsafeBytes { inner.inOrder.applied(to: $0) }
            edits.append(TextEdit(range: run.range, replacement: run.encoded(redacted)))
        }
        return edits
    }
}

extension Redaction {
    /// Whether the bytes contain a run of printable ASCII that is as long as the shortest secret within JSON.
    ///
    /// Random bytes rarely do.
    fileprivate static func hasText(_ bytes: [UInt8]) -> Bool {
        var count = 0
        for byte in bytes {
            count = 0x20...0x7E ~= byte || 0x09...0x0D ~= byte ? count + 1 : 0
            if count == shortestSecret { return true }
        }
        return false
    }

    private static let shortestSecret = 8
}

extension Range<Int> {
    /// Whether this range contains another one.
    fileprivate func contains(_ other: Range<Int>) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
