/// The names that apply to the value at the current offset of a JSON text.
private struct JSONNames {
    /// The name before the value, or nil for an element of an array.
    var name: String?

    /// The names that values in the enclosing arrays and objects inherit, outermost first.
    private var inherited: [String?] = []

    /// The names of a value: its own name and the inherited one.
    var all: [String?] { [name, inherited.last ?? nil] }

    /// Enters an object or an array.
    ///
    /// - Parameter isInherited: A closure that returns whether the name also applies to the values inside.
    mutating func enter(isInherited: (String) -> Bool) {
        inherited.append((name ?? inherited.last ?? nil).flatMap { isInherited($0) ? $0 : nil })
        name = nil
    }

    /// Leaves an object or an array.
    mutating func leave() {
        _ = inherited.popLast()
        name = nil
    }
}

extension SecretReplacing {
    /// Returns the edits in a JSON text, which may be truncated or not be JSON at all.
    ///
    /// - Parameter text: The text.
    /// - Returns: Edits of whole strings and numbers, and edits within strings that have escapes. `null`, `true`,
    ///   `false` and empty strings are unchanged.
    /// - Complexity: O(*n*) in the length of the text.
    mutating func jsonEdits(in text: UnsafeRawBufferPointer) -> [TextEdit] {
        var edits: [TextEdit] = []
        var names = JSONNames()
        var offset = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""): offset = passString(in: text, at: offset, &names, &edits)
            case UInt8(ascii: "{"):
                names.enter { isPassedOn($0) }
                offset += 1
            case UInt8(ascii: "["):
                names.enter { _ in true }
                offset += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                names.leave()
                offset += 1
            case UInt8(ascii: ","):
                names.name = nil
                offset += 1
            case UInt8(ascii: ":"): offset += 1
            case let byte where byte.isBlank: offset += 1
            default:
                let end = JSONTextBounds.wordEnd(in: text, from: offset)
                if let edit = wordEdit(in: text, offset..<end, names: names.all) { edits.append(edit) }
                offset = end
            }
        }
        return edits
    }

    /// Processes the string at an offset, which is a member's name or a value.
    ///
    /// - Returns: The offset after the string, or after the whole value if an edit replaces the value.
    private mutating func passString(
        in text: UnsafeRawBufferPointer, at start: Int, _ names: inout JSONNames, _ edits: inout [TextEdit]
    ) -> Int {
        let (end, hasEscape) = JSONTextBounds.stringEnd(in: text, from: start)
        let next = JSONTextBounds.skipBlanks(in: text, from: end)
        guard next < text.count, text[next] == UInt8(ascii: ":") else {
            edits += stringEdits(in: text, start..<end, hasEscape: hasEscape, names: names.all)
            return end
        }
        let name = JSONTextBounds.string(in: text, from: start, to: end, hasEscape: hasEscape)
        guard let whole = containerEdit(in: text, from: next + 1, name: name) else {
            names.name = name
            return next + 1
        }
        edits.append(whole)
        names.name = nil
        return whole.range.upperBound
    }

    /// Returns an edit that replaces a whole array or object, or nil if it is unchanged.
    private mutating func containerEdit(
        in text: UnsafeRawBufferPointer, from start: Int, name: String?
    ) -> TextEdit? {
        let begin = JSONTextBounds.skipBlanks(in: text, from: start)
        guard let name, begin < text.count, text[begin] == UInt8(ascii: "{") || text[begin] == UInt8(ascii: "["),
            isCandidate(name, in: .container),
            let replacement = replacement(for: NamedValue(name: name, bytes: [], context: .container))
        else { return nil }
        let end = JSONTextBounds.containerEnd(in: text, from: begin)
        return TextEdit(range: begin..<end, replacement: Self.quoted(replacement))
    }

    private mutating func stringEdits(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, hasEscape: Bool, names: [String?]
    ) -> [TextEdit] {
        let isClosed = range.count > 1 && text[range.upperBound - 1] == UInt8(ascii: "\"")
        let inside = text[
            from: range.lowerBound + 1, to: max(range.lowerBound + 1, range.upperBound - (isClosed ? 1 : 0))]
        guard !inside.isEmpty else { return [] }
        let decoded = hasEscape ? DecodedText(json: inside) : nil
        for name in names {
            guard let name, isCandidate(name, in: .json) else { continue }
            let value = NamedValue(name: name, bytes: decoded?.bytes ?? [UInt8](inside), context: .json)
            if let replacement = replacement(for: value) {
                return [TextEdit(range: range, replacement: Self.quoted(replacement))]
            }
        }
        return decoded.map { edits(in: $0, at: range.lowerBound + 1) } ?? []
    }

    /// Returns the edit of a number, or of an unquoted word if the text is not JSON.
    private mutating func wordEdit(
        in text: UnsafeRawBufferPointer, _ range: Range<Int>, names: [String?]
    ) -> TextEdit? {
        for name in names {
            guard let name, isCandidate(name, in: .number) else { continue }
            let word = [UInt8](text[range])
            if ["null", "true", "false"].contains(where: { word.elementsEqual($0.utf8) }) { return nil }
            if let replacement = replacement(for: NamedValue(name: name, bytes: word, context: .number)) {
                return TextEdit(range: range, replacement: Self.quoted(replacement))
            }
        }
        return nil
    }

    private static func quoted(_ text: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "\"")] + DecodedText.escapedForJSON(text) + [UInt8(ascii: "\"")]
    }
}

/// Functions that find the bounds of values in a JSON text, which may be truncated or not be JSON at all.
enum JSONTextBounds {
    /// Returns the end offset of the string whose opening quotation mark is at an offset.
    static func stringEnd(in text: UnsafeRawBufferPointer, from quote: Int) -> (end: Int, hasEscape: Bool) {
        var offset = quote + 1
        var hasEscape = false
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""): return (offset + 1, hasEscape)
            case UInt8(ascii: "\\"):
                hasEscape = true
                offset += 2
            default: offset += 1
            }
        }
        return (text.count, hasEscape)
    }

    /// Returns the end offset of a number or a word.
    static func wordEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start + 1
        let endsWord = endsWord
        while offset < text.count, !endsWord[Int(text[offset])] { offset += 1 }
        return offset
    }

    private static let endsWord: [Bool] = (0...255).map { (byte: UInt8) in
        byte.isBlank || "\"{}[],:".utf8.contains(byte)
    }

    /// Returns the offset after the bracket that closes the one at the start offset.
    static func containerEnd(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        var depth = 0
        while offset < text.count {
            switch text[offset] {
            case UInt8(ascii: "\""):
                offset = stringEnd(in: text, from: offset).end
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return offset + 1 }
            default: break
            }
            offset += 1
        }
        return text.count
    }

    /// Returns the offset of the first byte that is not white space.
    static func skipBlanks(in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        var offset = start
        while offset < text.count, text[offset].isBlank { offset += 1 }
        return offset
    }

    /// Returns the unescaped string.
    ///
    /// Strings too long for a name are truncated.
    static func string(
        in text: UnsafeRawBufferPointer, from quote: Int, to end: Int, hasEscape: Bool
    ) -> String {
        let isClosed = end > quote + 1 && text[end - 1] == UInt8(ascii: "\"")
        let stop = min(max(quote + 1, isClosed ? end - 1 : end), quote + 2048)
        let inside = text[from: quote + 1, to: stop]
        return hasEscape
            ? String(decoding: DecodedText(json: inside).bytes, as: UTF8.self) : String(decoding: inside, as: UTF8.self)
    }
}
