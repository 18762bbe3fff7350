/// A member or an element, with its name written in one way only.
struct JSONChild {
    /// The quoted name; empty for elements.
    let name: [UInt8]

    /// The index of the value's first token.
    let value: Int

    let exclusion: JSONExclusion
}

extension JSONSource {
    /// The elements of an array, or the members of an object in the order of their names' bytes, but for what is left
    /// out; of a name that stands twice the last one.
    func children(of container: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        tokens[container].kind == .array ? elements(of: container, exclusion) : members(of: container, exclusion)
    }

    private func elements(of array: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        var children: [JSONChild] = []
        var count = 0
        forEachElement(of: array) { element in
            let inside = exclusion.isEmpty ? exclusion : exclusion.inside(JSONString(String(count)))
            children.append(JSONChild(name: [], value: element, exclusion: inside))
            count += 1
        }
        return exclusion.isEmpty ? children : children.filter { !$0.exclusion.isWhole }
    }

    private func members(of object: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        var children: [JSONChild] = []
        JSONNode(source: self, index: object).forEachMember { key, value in
            let inside = exclusion.isEmpty ? exclusion : exclusion.inside(key.string)
            children.append(JSONChild(name: canonicalScalar(at: key.index), value: value.index, exclusion: inside))
            return true
        }
        children.sort {
            $0.name == $1.name ? $0.value < $1.value : $0.name.lexicographicallyPrecedes($1.name)
        }
        var distinct: [JSONChild] = []
        for child in children {
            if distinct.last?.name == child.name { distinct.removeLast() }
            distinct.append(child)
        }
        return exclusion.isEmpty ? distinct : distinct.filter { !$0.exclusion.isWhole }
    }

    /// A value that is no container, or a key, written in one way only.
    func canonicalScalar(at index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        appendCanonicalScalar(at: index, to: &bytes)
        return bytes
    }

    /// Appends a value that is no container, or a key, written in one way only.
    func appendCanonicalScalar(at index: Int, to bytes: inout [UInt8]) {
        JSONNode(source: self, index: index).withBytes { text in
            switch tokens[index].kind {
            case .number where !JSONDecimal.isCanonical(text): bytes += JSONDecimal(text).text
            case .string, .key:
                if text.firstPlace(of: UInt8(ascii: "\\")) == nil {
                    bytes += text
                } else {
                    Self.appendCanonicalString(text, to: &bytes)
                }
            default: bytes += text
            }
        }
    }

    /// Appends a quoted string with escapes for quotation marks, backslashes, control characters and halves of surrogate
    /// pairs only.
    private static func appendCanonicalString(_ quoted: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
        var place = 0
        while place < quoted.count {
            guard quoted[place] == UInt8(ascii: "\\") else {
                bytes.append(quoted[place])
                place += 1
                continue
            }
            let escape = JSONEscape(in: quoted, at: place)
            place += escape.size
            switch Unicode.Scalar(escape.unit) {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: escape.unit)]
            case let scalar? where scalar.value >= 0x20:
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            default: bytes += "\\u".utf8 + JSONText.hexadecimal(UInt16(truncatingIfNeeded: escape.unit))
            }
        }
    }
}
