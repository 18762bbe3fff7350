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
        return children.filter { !$0.exclusion.isWhole }
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
        let isLast = children.indices.map { $0 + 1 == children.count || children[$0].name != children[$0 + 1].name }
        return zip(children, isLast).filter { $1 && !$0.exclusion.isWhole }.map(\.0)
    }

    /// A value that is no container, or a key, written in one way only.
    func canonicalScalar(at index: Int) -> [UInt8] {
        JSONNode(source: self, index: index).withBytes { text in
            switch tokens[index].kind {
            case .number: JSONDecimal(text).text
            case .string, .key: Self.canonicalString(text)
            default: [UInt8](text)
            }
        }
    }

    /// A quoted string with escapes for quotation marks, backslashes, control characters and halves of surrogate pairs
    /// only.
    private static func canonicalString(_ quoted: UnsafeRawBufferPointer) -> [UInt8] {
        guard quoted.firstPlace(of: UInt8(ascii: "\\")) != nil else { return [UInt8](quoted) }
        let text = quoted[from: 1, to: quoted.count - 1]
        var bytes = [UInt8(ascii: "\"")]
        var place = 0
        while place < text.count {
            guard text[place] == UInt8(ascii: "\\") else {
                bytes.append(text[place])
                place += 1
                continue
            }
            let escape = JSONEscape(in: text, at: place)
            place += escape.size
            switch Unicode.Scalar(escape.unit) {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: escape.unit)]
            case let scalar? where scalar.value >= 0x20:
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            default: bytes += "\\u".utf8 + JSONText.hexadecimal(UInt16(truncatingIfNeeded: escape.unit))
            }
        }
        return bytes + [UInt8(ascii: "\"")]
    }
}
