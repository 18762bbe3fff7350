extension Redaction {
    /// Returns the edits that redact an absolute or relative URL.
    ///
    /// The result includes the edits for secrets in any text, and edits that depend on the names of query items and
    /// parameters.
    mutating func urlEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        let named = namedURLEdits(in: text)
        return (named + scan(text, namesEnd: text.count) + otherEdits(in: text)).inOrder
    }

    /// Processes the colon between the scheme and the authority of a URL in text.
    mutating func passURL(in text: UnsafeRawBufferPointer, at colon: Int, _ state: inout TextScan) -> Int {
        var start = colon
        while start > state.namesEnd, colon - start < 32, text[start - 1].isPartOfScheme { start -= 1 }
        let characters = Self.urlCharacters
        var end = colon + 3
        while end < text.count, characters.contains(text[end]) { end += 1 }
        state.edits += namedURLEdits(in: text[from: start, to: end]).map { $0.moved(by: start) }
        state.namesEnd = end
        return colon + 3
    }

    private static let urlCharacters = ByteSet.visible.subtracting("\"'<>\\`{}|^)")

    /// Returns the edits that replace the password of a URL and the named values in its path, query and fragment.
    private mutating func namedURLEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        let ranges = URLRanges(text)
        var edits = userEdits(in: text, ranges.user)
        edits += pathEdits(in: text, ranges.path)
        for range in [ranges.query, ranges.fragment] where range.count > 1 {
            let items = text[rebasing: range]
            edits += formEdits(in: items, as: .query).map { $0.moved(by: range.lowerBound) }
        }
        return edits
    }

    /// Returns the edits that replace matrix parameters (RFC 3986, section 3.3), such as `;jsessionid=`.
    private mutating func pathEdits(in text: UnsafeRawBufferPointer, _ path: Range<Int>) -> [TextEdit] {
        var edits: [TextEdit] = []
        guard text[rebasing: path].firstOffset(of: UInt8(ascii: ";")) != nil else { return edits }
        for segment in text[path].split(separator: UInt8(ascii: "/")) where segment.contains(UInt8(ascii: ";")) {
            edits += parameterEdits(in: text, segment.startIndex..<segment.endIndex)
        }
        return edits
    }

    /// Processes a slash in a path: a segment that looks like a token is a secret if one of the two segments before it
    /// is the name of a secret or a word such as `reset`.
    mutating func passSlash(in text: UnsafeRawBufferPointer, at slash: Int, _ state: inout TextScan) -> Int {
        guard slash >= state.decodedEnd else { return slash + 1 }
        let characters = Self.segmentCharacters
        var end = slash + 1
        while end < text.count, characters.contains(text[end]) { end += 1 }
        while end > slash + 1, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
        let range = slash + 1..<end
        guard SecretValue.looksLikeToken(text[rebasing: range]) else { return slash + 1 }
        var start = slash
        for _ in 0..<2 {
            let previous = start
            while start > 0, previous - start < 64, characters.contains(text[start - 1]) { start -= 1 }
            if let name = segmentName(text[from: start, to: previous], isInURL: slash < state.namesEnd) {
                let value = PercentEncoding.bytes(of: text[rebasing: range])
                guard let edit = edit(range, named: name, in: .query, value) else { return slash + 1 }
                state.edits.append(edit)
                return end
            }
            guard start > 0, text[start - 1] == UInt8(ascii: "/") else { break }
            start -= 1
        }
        return slash + 1
    }

    private static let segmentCharacters = ByteSet.unreserved.union("%=+:@!$*")

    /// Returns the name of the value that follows a segment, or nil if the segment does not indicate a secret.
    ///
    /// Outside URLs, slashes are also part of Base64, in which short names occur by chance.
    private func segmentName(_ segment: UnsafeRawBufferPointer, isInURL: Bool) -> String? {
        if isInURL, rules.isSecret(segment) { return String(decoding: segment, as: UTF8.self) }
        guard SecretNames.precedesToken(segment), rules.strength(of: "token", in: .text) == .certain else { return nil }
        return "token"
    }

    private mutating func parameterEdits(in text: UnsafeRawBufferPointer, _ segment: Range<Int>) -> [TextEdit] {
        var edits: [TextEdit] = []
        let parameters = text[rebasing: segment]
        // The first part is the name of the segment.
        for part in CookiePair<UnsafeRawBufferPointer>.parts(of: parameters).dropFirst() {
            guard let equals = part.firstIndex(of: UInt8(ascii: "=")), equals + 1 < part.endIndex else { continue }
            let name = String(decoding: Self.formBytes(parameters[from: part.startIndex, to: equals]), as: UTF8.self)
            let value = equals + 1..<part.endIndex
            let found = edit(value, named: name, in: .query, PercentEncoding.bytes(of: parameters[rebasing: value]))
            if let found { edits.append(found.moved(by: segment.lowerBound)) }
        }
        return edits
    }

    /// Returns the edit that replaces a password, if any.
    ///
    /// A user name without a password is also replaced if it looks like a token. In messages, the mask replaces both.
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
        } else if !Self.looksLikeToken(text[rebasing: user]) {
            return []
        } else if text[user.upperBound - 1] == UInt8(ascii: ":") {
            secret = user.lowerBound..<user.upperBound - 1
        }
        let bytes = PercentEncoding.bytes(of: text[rebasing: secret])
        return placeholder(for: bytes, .password).map { [TextEdit(range: secret, replacement: $0)] } ?? []
    }

    private static func looksLikeToken(_ user: UnsafeRawBufferPointer) -> Bool {
        SecretValue.looksLikeToken(user) || TokenPattern.all.contains { $0.isPrefix(of: user) }
            || SecretValue.looksRandom(user.filter { $0 != UInt8(ascii: ":") })
    }
}

// MARK: Forms

extension Redaction {
    /// Returns the edits that replace named values in the items of a query or form.
    ///
    /// - Parameters:
    ///   - text: Items separated by `&`. The `?` of a query or the `#` of a fragment may precede them.
    ///   - context: The kind of text that contains the names.
    /// - Returns: The edits. A secret value extends to the next `&`.
    mutating func formEdits(in text: UnsafeRawBufferPointer, as context: NameContext) -> [TextEdit] {
        var edits: [TextEdit] = []
        for item in FormItemRanges(text) where !item.value.isEmpty {
            let start = item.range.lowerBound
            let found = itemEdit(in: text[from: start, to: item.range.upperBound], as: context)
            if let found { edits.append(found.moved(by: start)) }
        }
        return edits
    }

    /// Returns the edit that redacts an item, or nil if the item has no secret.
    ///
    /// The item may contain further items, because some servers separate items with `;`, and some applications put a
    /// query in the fragment.
    mutating func itemEdit(in item: UnsafeRawBufferPointer, as context: NameContext) -> TextEdit? {
        var nameStart = 0
        // This limit keeps the search linear in items with many names.
        var tries = 0
        for index in 0..<item.count {
            switch item[index] {
            case UInt8(ascii: "?"), UInt8(ascii: ";"), UInt8(ascii: "#"), UInt8(ascii: "/"), 0x0A, 0x0D:
                nameStart = index + 1
            case UInt8(ascii: "="):
                let range = nameStart..<index
                let start = index + 1
                nameStart = start
                guard start < item.count, tries < 16, !range.isEmpty, range.count <= 1024 else { continue }
                let bytes = Self.formBytes(item[rebasing: range])
                guard bytes.withUnsafeBytes({ isCandidate($0, in: context) }) else { continue }
                tries += 1
                let name = String(decoding: bytes, as: UTF8.self)
                let found = edit(start..<item.count, named: name, in: context, Self.formBytes(item[from: start]))
                if let found { return found }
            default: break
            }
        }
        return nil
    }

    /// Returns the decoded bytes of a name or value in a form.
    static func formBytes(_ text: UnsafeRawBufferPointer) -> [UInt8] {
        PercentEncoding.bytes(of: text, plusIsSpace: true)
    }
}
