import HTTPArchive

extension JSONNode {
    /// The size of a decoded string in bytes, or nil if it contains non-ASCII characters or Unicode escape sequences.
    var plainSize: Int? {
        withBytes { quoted in
            guard quoted.isASCII else { return nil }
            let text = quoted[from: 1, to: quoted.count - 1]
            var (offset, escapeCount) = (0, 0)
            while let backslash = text[from: offset].firstOffset(of: UInt8(ascii: "\\")) {
                if text[offset &+ backslash &+ 1] == UInt8(ascii: "u") { return nil }
                offset &+= backslash &+ 2
                escapeCount &+= 1
            }
            return text.count - escapeCount
        }
    }

    /// Returns the path from this value to a value or key inside it.
    ///
    /// - Parameter index: The index of the first token of the value or key.
    /// - Returns: The names and array indices on the path.
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

extension JSONSource {
    /// Calls `body` with the index of the key of each member of an object.
    ///
    /// The index of the value is the next one.
    @inline(__always)
    func forEachKey(of object: Int, _ body: (Int) -> Void) {
        guard tokens[object].kind == .object else { return }
        var key = object + 1
        while tokens[key].kind == .key {
            body(key)
            key = next(after: key + 1)
        }
    }
}
