/// The names that apply to the value at the current offset in JSON text.
private struct JSONNames {
    /// An array or an object that encloses the current value.
    struct Container {
        /// Whether the container is an object.
        let isObject: Bool

        /// The name that nested values inherit, if any.
        let inherited: String?

        /// The name in a member such as `"name":"password"`, if it may belong to a secret.
        var pairName: String?

        /// The ranges of the values in members such as `"value"` that precede the name.
        var pairValues: [Range<Int>] = []

        /// The number of elements before the current element.
        var index = 0
    }

    /// The enclosing containers, outermost first, up to ``mostContainers``.
    var containers: [Container] = []

    /// The maximum number of containers to store, which limits memory use.
    private static let mostContainers = 10_000

    /// The number of open containers beyond the limit.
    ///
    /// The last element of ``containers`` describes the innermost one.
    private var deeperCount = 0

    /// The name of the current value, if it may belong to a secret.
    var name: String?

    /// Whether the name of the current value indicates that the value is only a property of a secret.
    var isProperty = false

    /// The role of the current member in a name-value pair, if any.
    var role: PairRole?

    /// All names that apply to the current value: its own name and the inherited one.
    var all: [String] {
        let inherited = isProperty ? nil : containers.last?.inherited
        return [name, inherited].compactMap { $0 }
    }

    /// Whether no name applies to the current value.
    var isEmpty: Bool { name == nil && containers.last?.inherited == nil }

    /// Resets the state at the end of a value.
    mutating func endValue() {
        if name != nil { name = nil }
        role = nil
        isProperty = false
    }

    /// Enters a container.
    mutating func open(_ container: Container) {
        if containers.count < Self.mostContainers {
            containers.append(container)
        } else {
            containers[containers.count - 1] = container
            deeperCount += 1
        }
        endValue()
    }

    /// Leaves the innermost container.
    ///
    /// Beyond the limit, the enclosing container keeps the inherited name of the closed container, so that no secret is
    /// missed.
    mutating func close() {
        if deeperCount > 0 {
            deeperCount -= 1
            containers[containers.count - 1] = Container(isObject: true, inherited: containers.last?.inherited)
        } else {
            _ = containers.popLast()
        }
        endValue()
    }
}

extension Redaction {
    /// Appends the edits that redact JSON text, which may be truncated or invalid.
    ///
    /// They replace whole strings and numbers, and secrets within strings. `null`, `true`, `false` and empty strings
    /// are unchanged.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - start: The offset of the first byte.
    ///   - isStrict: Whether to stop after the first array or object, or at the first syntax error.
    ///   - inherited: The name that applies to the whole text, if any.
    ///   - edits: An array to which the edits are appended.
    /// - Returns: The offset at which parsing stopped.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    @discardableResult
    mutating func passJSON(
        in text: UnsafeRawBufferPointer, from start: Int, isStrict: Bool, inheriting inherited: String?,
        _ edits: inout [TextEdit]
    ) -> Int {
        var names = JSONNames()
        names.name = inherited
        var offset = start
        while offset < text.count {
            let byte = text[offset]
            switch byte {
            case UInt8(ascii: "\""):
                guard let end = passString(in: text, at: offset, isStrict, &names, &edits) else { return offset }
                offset = end
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                let isObject = byte == UInt8(ascii: "{")
                let own = names.name.flatMap { !isObject || isPassedOn($0) ? $0 : nil }
                let above = names.isProperty ? nil : names.containers.last?.inherited
                names.open(.init(isObject: isObject, inherited: own ?? above))
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                names.close()
                offset += 1
                if isStrict, names.containers.isEmpty { return offset }
            case UInt8(ascii: ","):
                names.endValue()
                if let last = names.containers.indices.last { names.containers[last].index += 1 }
                offset += 1
            case UInt8(ascii: ":"), 0x20, 0x09...0x0D: offset += 1
            default:
                let end = JSONTextBounds.wordEnd(in: text, from: offset)
                if isStrict, !Self.isJSONWord(text[from: offset, to: end]) { return offset }
                if end < text.count, text[end] == UInt8(ascii: ":"), names.containers.last?.isObject == true {
                    hasUnquotedNames = true
                }
                if !names.isEmpty || end - offset > 12 {
                    edits += wordEdits(in: text, offset..<end, names: names.all)
                }
                offset = end
            }
        }
        return offset
    }

    /// Processes the string at an offset, which is either a member's name or a value.
    ///
    /// - Returns: The offset at which to continue, or nil if a strict parser would reject the string.
    private mutating func passString(
        in text: UnsafeRawBufferPointer, at start: Int, _ isStrict: Bool, _ names: inout JSONNames,
        _ edits: inout [TextEdit]
    ) -> Int? {
        let (end, hasEscape) = JSONTextBounds.stringEnd(in: text, from: start)
        let isClosed = end > start + 1 && text[end - 1] == UInt8(ascii: "\"")
        let inside = text[from: start + 1, to: max(start + 1, isClosed ? end - 1 : end)]
        if isStrict, inside.firstOffset(of: 0x0A) != nil { return nil }
        let next = JSONTextBounds.skipBlanks(in: text, from: end)
        let mark = next < text.count ? text[next] : UInt8(ascii: ",")
        if mark == UInt8(ascii: ":") {
            if hasEscape {
                let name = DecodedText(json: text[from: start + 1, to: min(start + 1 + inside.count, start + 2049)])
                name.bytes.withUnsafeBytes { beginMember(named: $0, &names) }
            } else {
                beginMember(named: inside, &names)
            }
            // Secrets that were recognized elsewhere are not replaced in names.
            if inside.count >= 14 { edits += scan(inside).map { $0.moved(by: start + 1) } }
            guard let name = names.name, let whole = containerEdit(in: text, from: next + 1, name: name) else {
                return next + 1
            }
            edits.append(whole)
            names.endValue()
            return whole.range.upperBound
        }
        if isStrict, mark != UInt8(ascii: ","), mark != UInt8(ascii: "}"), mark != UInt8(ascii: "]") { return nil }
        if inside.isEmpty { return end }
        let range = start..<end
        let decoded = hasEscape ? DecodedText(json: inside) : nil
        readPair(text, range, inside, decoded, isLast: mark == UInt8(ascii: "]"), &names, &edits)
        // Most strings have neither names nor syntax.
        if names.isEmpty, Self.isPlain(inside) { return end }
        let found = stringEdits(of: inside, decoded, range, names: names.isEmpty ? [] : names.all)
        if !found.isEmpty { edits += found }
        return end
    }

    /// Updates the names at the start of a member.
    private mutating func beginMember(named name: UnsafeRawBufferPointer, _ names: inout JSONNames) {
        let isInherited = names.containers.last?.inherited != nil
        names.isProperty = isInherited && SecretNames.isProperty(name)
        let (strength, role) = SecretNames.traits(of: name)
        names.role = role
        let isSecret =
            rules.hasOnlyKnownNames(in: .json)
            ? strength != .none : name.count <= 256 && isCandidate(name, in: .json)
        if isSecret {
            names.name = String(decoding: name, as: UTF8.self)
        } else if names.role == .value, let pairName = names.containers.last?.pairName {
            names.name = pairName
        } else {
            names.name = nil
        }
    }

    /// Reads a string that may be the name or value in a name-value pair.
    private mutating func readPair(
        _ text: UnsafeRawBufferPointer, _ range: Range<Int>, _ inside: UnsafeRawBufferPointer, _ decoded: DecodedText?,
        isLast: Bool, _ names: inout JSONNames, _ edits: inout [TextEdit]
    ) {
        guard let last = names.containers.indices.last else { return }
        if names.containers[last].isObject {
            switch names.role {
            case .value where names.containers[last].pairName == nil:
                if names.containers[last].pairValues.count < 8 { names.containers[last].pairValues.append(range) }
            case .name where inside.count <= 64:
                guard let name = candidate(inside, decoded) else { return }
                names.containers[last].pairName = name
                for value in names.containers[last].pairValues {
                    let inside = text[from: value.lowerBound + 1, to: value.upperBound - 1]
                    edits += stringEdits(of: inside, DecodedText(json: inside), value, names: [name])
                }
                names.containers[last].pairValues = []
            default: break
            }
        } else if last > 0, !names.containers[last - 1].isObject {
            let container = names.containers[last]
            // Header fields may be recorded as arrays of two strings, such as `[["authorization","Bearer abc"]]`.
            if container.index == 0, !isLast, inside.count <= 64 {
                names.containers[last].pairName = candidate(inside, decoded)
            } else if container.index == 1, isLast, let name = container.pairName {
                names.name = name
            }
        }
    }

    @inline(__always)
    private func candidate(_ inside: UnsafeRawBufferPointer, _ decoded: DecodedText?) -> String? {
        guard let decoded else {
            return isCandidate(inside, in: .json) ? String(decoding: inside, as: UTF8.self) : nil
        }
        let name = String(decoding: decoded.bytes, as: UTF8.self)
        return isCandidate(name, in: .json) ? name : nil
    }

    /// Returns an edit that replaces a whole array or object, or nil to leave it unchanged.
    private mutating func containerEdit(
        in text: UnsafeRawBufferPointer, from start: Int, name: String
    ) -> TextEdit? {
        let begin = JSONTextBounds.skipBlanks(in: text, from: start)
        guard begin < text.count, text[begin] == UInt8(ascii: "{") || text[begin] == UInt8(ascii: "["),
            let replacement = replacement(for: [], named: name, in: .container)
        else { return nil }
        let end = JSONTextBounds.containerEnd(in: text, from: begin)
        return TextEdit(range: begin..<end, replacement: Self.quoted(replacement))
    }

    /// Returns the edits that redact a string.
    ///
    /// - Parameters:
    ///   - inside: The escaped text between the quotation marks.
    ///   - decoded: The unescaped text, or nil if the text has no escape sequences.
    ///   - range: The range of the string with its quotation marks.
    ///   - names: The names that apply to the string.
    /// - Returns: The edits.
    private mutating func stringEdits(
        of inside: UnsafeRawBufferPointer, _ decoded: DecodedText?, _ range: Range<Int>, names: [String]
    ) -> [TextEdit] {
        for name in names {
            let bytes = decoded?.bytes ?? [UInt8](inside)
            if Self.isCookieField(name), bytes.contains(UInt8(ascii: "=")) {
                let cookies = bytes.withUnsafeBytes { headerEdits(in: $0, named: name) }
                if cookies.isEmpty { continue }
                let new = bytes.withUnsafeBytes { cookies.inOrder.applied(to: $0) }
                return [TextEdit(range: range, replacement: Self.quoted(new))]
            }
            if let replacement = replacement(for: bytes, named: name, in: .json) {
                return [TextEdit(range: range, replacement: Self.quoted(replacement))]
            }
        }
        guard inside.count >= Self.shortestText else { return [] }
        guard let decoded else { return scan(inside).map { $0.moved(by: range.lowerBound + 1) } }
        return edits(in: decoded, at: range.lowerBound + 1)
    }

    /// Returns the edits that redact a number, or an unquoted word in text that is not JSON.
    private mutating func wordEdits(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, names: [String]
    ) -> [TextEdit] {
        let word = text[rebasing: range]
        for name in names {
            if SecretValue.isLiteral(word) { return [] }
            if let replacement = replacement(for: [UInt8](word), named: name, in: .number) {
                return [TextEdit(range: range, replacement: Self.quoted(replacement))]
            }
        }
        return scan(word).map { $0.moved(by: range.lowerBound) }
    }

    private static func isJSONWord(_ word: UnsafeRawBufferPointer) -> Bool {
        guard let first = word.first else { return false }
        if first == UInt8(ascii: "-") || first.isDigit {
            return numberCharacters.containsAll(of: word)
        }
        return SecretValue.isLiteral(word)
    }

    private static let numberCharacters = ByteSet("0123456789+-.eE")

    /// Returns text as a JSON string with quotation marks.
    static func quoted(_ text: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + DecodedText.escapedForJSON(text) + [UInt8(ascii: "\"")]
    }
}
