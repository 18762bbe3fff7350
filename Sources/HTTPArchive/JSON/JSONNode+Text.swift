extension JSONNode {
    /// Gives each byte of a string's UTF-8 to `body`, without holding the decoded string.
    func forEachByte(_ body: (UInt8) -> Void) {
        withBytes { quoted in
            _ = JSONString.unescape(UnsafeRawBufferPointer(rebasing: quoted.dropFirst().dropLast())) { piece in
                for byte in piece { body(byte) }
            }
        }
    }

    /// Whether a string or key holds what is no text; decoded only where it could.
    var isLossy: Bool { withBytes(Self.couldBeLossy) && string.isLossy }

    /// Whether the text of the value is UTF-8.
    var isUTF8: Bool { withBytes { String(validating: $0, as: UTF8.self) != nil } }

    /// Whether there is a backslash in a string, so that it may hold what no text in JSON can.
    var hasEscape: Bool { withBytes { $0.contains(UInt8(ascii: "\\")) } }

    /// Whether there is a byte that is not ASCII, or the escape of half a surrogate pair.
    private static func couldBeLossy(_ text: UnsafeRawBufferPointer) -> Bool {
        var union: UInt8 = 0
        for byte in text { union |= byte }
        if union >= 0x80 { return true }
        var rest = text[...]
        while let backslash = rest.firstIndex(of: UInt8(ascii: "\\")) {
            let escape = rest[(backslash + 1)...].prefix(2)
            if escape.first == UInt8(ascii: "u"), escape.last.map({ $0 | 0x20 }) == UInt8(ascii: "d") { return true }
            rest = rest[(backslash + 2)...]
        }
        return false
    }

    /// The names and array indices on the way from this value to the one inside it whose first token is given, or to
    /// the value of the key.
    func path(to index: Int) -> [String] {
        var path: [String] = []
        var node = self
        while node.index < index {
            var step: (name: String, node: JSONNode)?
            if node.kind == .array {
                for (position, element) in node.elements.enumerated() where element.next > index {
                    step = (String(position), element)
                    break
                }
            } else {
                node.forEachMember { key, value in
                    if value.next > index { step = (key.string.text, value) }
                    return step == nil
                }
            }
            guard let step else { return path }
            path.append(step.name)
            node = step.node
        }
        return path
    }
}

extension JSONNode {
    /// The place of a value that was read, or else of the value written as new text.
    ///
    /// - Returns: `nil` when the text would be larger than 4 GiB.
    init?(_ value: JSONValue) {
        if let node = value.object?.node {
            self = node
        } else {
            let text = JSONGenerator.text(of: value, layout: .unchanged, isIndented: false)
            guard let source = try? JSONSource.parsing(written: text) else { return nil }
            self = source.root
        }
    }
}
