extension JSONEditor {
    /// Replaces the value of every member that has one of the names, at any depth, in objects inside arrays too.
    ///
    /// The value gives way whatever its type was. Names that are not in the document add nothing, and what is put in is not
    /// searched. A text of more than 4 GiB stays as it is.
    ///
    /// - Parameter values: The new values by the names of members.
    /// - Complexity: O(*n*) in the length of the text.
    package mutating func replaceMembers(_ values: [String: JSONValue]) {
        guard !values.isEmpty, let draft = try? draft(), let node = try? draft.node(draft[.root]) else { return }
        var texts: [JSONString: [UInt8]] = [:]
        for (name, value) in values { texts[JSONString(name)] = draft.text(of: value) }
        if let text = node.source.replacingMembers(texts, of: node) { update(text) }
    }
}

extension JSONSource {
    /// The text of a value in which the members of given names have other values.
    ///
    /// - Returns: `nil` when there are none of them.
    fileprivate func replacingMembers(_ texts: [JSONString: [UInt8]], of node: JSONNode) -> [UInt8]? {
        // Most names differ from all wanted ones in their size, so that they need not be decoded.
        let sizes = Set(texts.keys.map { UInt32(truncatingIfNeeded: $0.text.utf8.count) }).union([0])
        let range = node.range
        var text: [UInt8] = []
        var copied = range.lowerBound
        bytes.withUnsafeBytes { bytes in
            tokens.withUnsafeBufferPointer { tokens in
                var index = node.index
                let end = node.next
                while index < end {
                    defer { index += 1 }
                    guard tokens[index].kind == .key, sizes.contains(tokens[index].next) else { continue }
                    let start = JSONText.skipGap(in: bytes, from: Int(tokens[index - 1].end)) + 1
                    let name = JSONString(source: bytes[from: start, to: Int(tokens[index].end) - 1])
                    guard let replacement = texts[name] else { continue }
                    text += bytes[copied..<JSONText.skipGap(in: bytes, from: Int(tokens[index].end))]
                    text += replacement
                    index = next(after: index + 1) - 1
                    copied = Int(tokens[index].end)
                }
                if copied > range.lowerBound { text += bytes[copied..<range.upperBound] }
            }
        }
        return copied > range.lowerBound ? text : nil
    }
}
