/// Redaction of XML and HTML.
extension Redaction {
    /// The maximum length of a tag, in bytes.
    private static let longestTag = 1 << 14

    /// Processes an angle bracket, which may begin a tag.
    mutating func passTag(in text: UnsafeRawBufferPointer, at offset: Int, _ state: inout TextScan) -> Int {
        guard offset >= state.decodedEnd, offset + 2 < text.count, text[offset + 1].isPartOfWord else {
            return offset + 1
        }
        var nameEnd = offset + 2
        let limit = min(text.count, offset + 128)
        let nameCharacters = state.style == .binary ? Self.asciiTagNameCharacters : Self.tagNameCharacters
        while nameEnd < limit, nameCharacters.contains(text[nameEnd]) { nameEnd += 1 }
        guard nameEnd < limit, Self.endsTagName(text[nameEnd]) else { return offset + 1 }
        let name = text[from: offset + 1, to: nameEnd]
        var tag = MarkupTag()
        tag.readAttributes(in: text, from: nameEnd, until: min(text.count, offset + Self.longestTag))
        guard let end = tag.end else { return nameEnd }
        readStyle(name, in: text, from: end, &state)
        let role = MarkupNames.elements[Self.localName(name)]
        let isValue = role.contains(.value)
        // In HTML, elements with ambiguous names, such as `code`, contain ordinary text.
        let isElement = state.style == .html ? rules.isSecret(name) : isCandidate(name, in: .text)
        var secretName = isElement ? String(decoding: name, as: UTF8.self) : nil
        let attribute = tag.secretName(in: text, rules) ?? (role.contains(.choice) ? state.listName : nil)
        if role.contains(.list) { state.listName = attribute }
        if let attribute {
            for value in tag.values {
                replace(value, named: attribute, in: text, &state)
            }
            if tag.values.isEmpty, !tag.isEmpty, role.contains(.named) { secretName = attribute }
        }
        let hasValue = secretName != nil || isValue && state.pendingName != nil
        if tag.isEmpty || !hasValue && !role.contains(.name) { return nameEnd }
        let content = Self.content(in: text, from: end)
        if role.contains(.name), !content.isEmpty, content.count <= 64 {
            let label = text[rebasing: content]
            state.pendingName = isCandidate(label, in: .text) ? String(decoding: label, as: UTF8.self) : nil
            if state.pendingName != nil { return nameEnd }
        }
        if content.isEmpty {
            if secretName != nil { state.pendingName = secretName }
        } else if role.contains(.choice), SecretValue.isLabel(text[rebasing: content]) {
            return nameEnd
        } else if let name = secretName ?? (isValue ? state.pendingName : nil), isText(content, in: text, state.style) {
            replace(content, named: name, in: text, &state)
            state.pendingName = nil
        }
        return nameEnd
    }

    /// Switches to the code style at the start of a script or a style sheet, and back to HTML after its end.
    private func readStyle(
        _ name: UnsafeRawBufferPointer, in text: UnsafeRawBufferPointer, from start: Int, _ state: inout TextScan
    ) {
        if state.style == .code, state.scriptEnd > 0, start > state.scriptEnd { state.style = .html }
        guard state.style == .html, name.count == 6 || name.count == 5 else { return }
        let folded = String(decoding: name, as: UTF8.self).lowercased()
        guard folded == "script" || folded == "style" else { return }
        let rest = text[from: start]
        let end = rest.firstOffset(of: Array("</\(folded)".utf8)) ?? rest.firstOffset(of: Array("</".utf8))
        state.style = .code
        state.scriptStart = start
        state.scriptEnd = start + (end ?? rest.count)
    }

    /// Whether the content of an element is text, and not random bytes.
    private func isText(_ content: Range<Int>, in text: UnsafeRawBufferPointer, _ style: TextStyle) -> Bool {
        guard style == .binary else { return true }
        let bytes = text[rebasing: content]
        return Self.runEnd(in: bytes, from: 0) == bytes.count && String(validating: bytes, as: UTF8.self) != nil
    }

    private mutating func replace(
        _ range: Range<Int>, named name: String, in text: UnsafeRawBufferPointer, _ state: inout TextScan
    ) {
        let raw = text[rebasing: range]
        let secret = raw.firstOffset(of: UInt8(ascii: "&")) == nil ? [UInt8](raw) : DecodedText(markup: raw).bytes
        let start = range.lowerBound + raw.prefix { $0.isBlank }.count
        let end = max(start, range.upperBound - raw.reversed().prefix { $0.isBlank }.count)
        if let edit = edit(start..<end, named: name, in: .text, Array(secret.withoutBlanks)) {
            state.edits.append(edit)
        }
    }

    /// Returns the range of the text between a tag and the next one, or within a CDATA section; empty if there is only
    /// whitespace.
    private static func content(in text: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
        let first = JSONTextBounds.skipBlanks(in: text, from: start)
        let rest = text[from: first, to: min(text.count, first + (1 << 16))]
        if rest.starts(with: cdata) {
            let begin = first + cdata.count
            let end = text[from: begin].firstOffset(of: Array("]]>".utf8)).map { begin + $0 } ?? text.count
            return begin..<end
        }
        let end = first + (rest.firstOffset(of: UInt8(ascii: "<")) ?? rest.count)
        return first..<end
    }

    private static let cdata = Array("<![CDATA[".utf8)

    /// Returns the name without a namespace prefix.
    private static func localName(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard let colon = name.lastIndex(of: UInt8(ascii: ":")) else { return name }
        return name[from: colon + 1]
    }

    private static let asciiTagNameCharacters = ByteSet.alphanumerics.union("_-.:")
    private static let tagNameCharacters = asciiTagNameCharacters.withOthers

    private static func endsTagName(_ byte: UInt8) -> Bool {
        byte.isBlank || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/")
    }
}

/// The attributes of a tag that name a value or contain one.
private struct MarkupTag {
    /// The end offset of the tag, or nil if the tag is unterminated or too long.
    var end: Int?

    /// Whether the element has no content.
    var isEmpty = false

    /// The ranges of attribute values that may name a value.
    var names: [Range<Int>] = []

    /// The ranges of attribute values to which the names may apply.
    var values: [Range<Int>] = []

    /// Whether the element is a password field.
    private var isPassword = false

    private static let isPartOfAttribute = ByteSet("-:.@")

    mutating func readAttributes(in text: UnsafeRawBufferPointer, from start: Int, until limit: Int) {
        let isPartOfAttribute = Self.isPartOfAttribute
        var offset = start
        while offset < limit {
            let byte = text[offset]
            if byte == UInt8(ascii: ">") {
                end = offset + 1
                isEmpty = text[offset - 1] == UInt8(ascii: "/")
                return
            }
            if byte == UInt8(ascii: "<") { return }
            guard byte.isPartOfWord else {
                offset += 1
                continue
            }
            let start = offset
            while offset < limit, text[offset].isPartOfWord || isPartOfAttribute.contains(text[offset]) { offset += 1 }
            let attribute = start..<offset
            let equals = JSONTextBounds.skipBlanks(in: text, from: offset)
            guard equals < limit, text[equals] == UInt8(ascii: "=") else { continue }
            offset = JSONTextBounds.skipBlanks(in: text, from: equals + 1)
            guard offset < limit else { return }
            let range: Range<Int>
            if text[offset] == UInt8(ascii: "\"") || text[offset] == UInt8(ascii: "'") {
                let rest = text[from: offset + 1, to: limit]
                guard let length = rest.firstOffset(of: text[offset]) else { return }
                range = offset + 1..<offset + 1 + length
                offset = range.upperBound + 1
            } else {
                let begin = offset
                while offset < limit, !text[offset].isBlank, text[offset] != UInt8(ascii: ">") { offset += 1 }
                range = begin..<offset
            }
            read(text[rebasing: attribute], range, in: text)
        }
    }

    private mutating func read(
        _ attribute: UnsafeRawBufferPointer, _ range: Range<Int>, in text: UnsafeRawBufferPointer
    ) {
        let role = MarkupNames.attributes[attribute]
        if role.contains(.name) { names.append(range) }
        if role.contains(.value) { values.append(range) }
        if role.contains(.type), text[range].elementsEqual("password".utf8) { isPassword = true }
    }

    /// Returns the name that applies to the values, if it belongs to a secret.
    func secretName(in text: UnsafeRawBufferPointer, _ rules: RedactionRules) -> String? {
        for name in names where name.count <= 256 {
            if rules.strength(of: text[rebasing: name], in: .text) != .none {
                return String(decoding: text[name], as: UTF8.self)
            }
        }
        return isPassword && rules.configuration.redactsKnownNames ? "password" : nil
    }
}

/// The names of elements or attributes in XML and HTML that name a value or contain one.
struct MarkupNames: Sendable {
    /// The meaning of an element or an attribute.
    struct Role: OptionSet {
        let rawValue: UInt8

        /// The text is the name of a value.
        static let name = Self(rawValue: 1)

        /// The text is a value with a name that precedes it.
        static let value = Self(rawValue: 2)

        /// The text of the element is a value that an attribute names.
        static let named = Self(rawValue: 4)

        /// The attribute is the type of a form field.
        static let type = Self(rawValue: 8)

        /// The attributes of the element name the values of choices.
        static let list = Self(rawValue: 16)

        /// The element is a choice in a list.
        static let choice = Self(rawValue: 32)
    }

    private var roles: [String: Role] = [:]

    /// The lengths of the names that begin with each letter, as bits, so that most other names need only one lookup.
    private var lengths = [UInt32](repeating: 0, count: 32)

    /// - Parameter names: The names with each role, in lowercase, separated by spaces.
    private init(_ names: [(Role, String)]) {
        for (role, names) in names {
            for name in names.split(separator: " ") {
                roles[String(name), default: []].insert(role)
                if let first = name.utf8.first { lengths[Int(first & 31)] |= 1 << UInt32(name.utf8.count) }
            }
        }
    }

    /// Returns the role of a name, ignoring the case of letters.
    subscript(name: UnsafeRawBufferPointer) -> Role {
        guard name.count < 32, let first = name.first, lengths[Int(first & 31)] >> UInt32(name.count) & 1 != 0 else {
            return []
        }
        return roles[String(decoding: name, as: UTF8.self).lowercased()] ?? []
    }

    /// The names of elements, as in property lists, XML-RPC and configuration files.
    static let elements = MarkupNames([
        (.name, "name key n k paramname parametername propertyname"),
        (.value, "value val v string integer int data text attributevalue i4 base64 paramvalue"),
        (.list, "select datalist"), (.choice, "option"),
        (
            .named,
            """
            textarea string param parameter property attribute field entry item value var variable header data setting \
            add nvpair output arg argument int option element
            """
        ),
    ])

    /// The names of attributes.
    static let attributes = MarkupNames([
        (.name, "name id key property itemprop http-equiv data-name n k field param"),
        (.value, "value content val v data-value data-content text"),
        (.type, "type"),
    ])
}
