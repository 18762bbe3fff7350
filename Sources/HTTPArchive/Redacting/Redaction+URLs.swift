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

    /// Returns the edits that replace matrix parameters (RFC 3986, section 3.3), such as `;jsessionid=`, and random
    /// segments after the name of a secret.
    private mutating func pathEdits(in text: UnsafeRawBufferPointer, _ path: Range<Int>) -> [TextEdit] {
        var edits: [TextEdit] = []
        var start = path.lowerBound
        var previous = start..<start
        while start < path.upperBound {
            let rest = text[from: start, to: path.upperBound]
            let end = start + (rest.firstOffset(of: UInt8(ascii: "/")) ?? rest.count)
            defer { start = end + 1 }
            if text[from: start, to: end].firstOffset(of: UInt8(ascii: ";")) != nil {
                edits += parameterEdits(in: text, start..<end)
            } else if end - start >= 16, !previous.isEmpty, let name = segmentName(text, previous) {
                let value = [UInt8](text[start..<end])
                if SecretValue.looksRandom(value), let edit = edit(start..<end, named: name, in: .query, value) {
                    edits.append(edit)
                }
            }
            previous = start..<end
        }
        return edits
    }

    /// Returns the name of the value that follows a segment, or nil if the segment does not indicate a secret.
    private func segmentName(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) -> String? {
        let segment = text[rebasing: range]
        if rules.isSecret(segment) { return String(decoding: segment, as: UTF8.self) }
        let name = SecretNames.folded(String(decoding: segment, as: UTF8.self))
        guard let name, SecretWords.beforeTokens.contains(name), rules.strength(of: "token", in: .text) == .certain
        else { return nil }
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
        } else if !SecretValue.looksRandom([UInt8](text[user].filter { $0 != UInt8(ascii: ":") })) {
            return []
        } else if text[user.upperBound - 1] == UInt8(ascii: ":") {
            secret = user.lowerBound..<user.upperBound - 1
        }
        let bytes = PercentEncoding.bytes(of: text[rebasing: secret])
        return placeholder(for: bytes, .password).map { [TextEdit(range: secret, replacement: $0)] } ?? []
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
