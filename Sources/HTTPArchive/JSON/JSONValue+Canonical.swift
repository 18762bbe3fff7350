package import Foundation

extension JSONValue {
    /// The value written in one way only.
    ///
    /// Two values have the same text exactly when they are the same JSON value. The order of members, white space, escapes
    /// and the spelling of numbers do not count: `1`, `1.0` and `10e-1` are one number, and so are `0` and `-0`. Numbers
    /// of any size are compared digit by digit. Of a name that stands twice the last member counts.
    ///
    /// - Parameter ignored: Places of values that are left out; `*` stands for any name or index, as in `/items/*/id`.
    /// - Returns: The text, empty when all is left out.
    /// - Complexity: O(*n* log *n*) in the length of the value's text.
    package func canonicalText(ignoring ignored: [JSONPointer] = []) -> Data {
        // Only a value of more than 4 GiB has no place.
        guard let node = JSONNode(self) else { return data() }
        return Data(JSONCanonicalText.bytes(of: node, JSONExclusion(ignored)))
    }
}

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
                if text.firstOffset(of: UInt8(ascii: "\\")) == nil {
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
        var offset = 0
        while offset < quoted.count {
            guard quoted[offset] == UInt8(ascii: "\\") else {
                bytes.append(quoted[offset])
                offset += 1
                continue
            }
            let escape = JSONEscape(in: quoted, at: offset)
            offset += escape.size
            switch Unicode.Scalar(escape.unit) {
            case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(truncatingIfNeeded: escape.unit)]
            case let scalar? where scalar.value >= 0x20:
                bytes += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            default: bytes += "\\u".utf8 + JSONText.hexadecimal(UInt16(truncatingIfNeeded: escape.unit))
            }
        }
    }
}

/// A value written in one way only, whatever the order of members, white space, escapes and the spelling of numbers.
enum JSONCanonicalText {
    /// A container that is being written.
    private struct Frame {
        let isObject: Bool
        let children: [JSONChild]
        var written = 0
    }

    /// The text of a value, without the values that are left out.
    static func bytes(of node: JSONNode, _ exclusion: JSONExclusion = .init([])) -> [UInt8] {
        guard !exclusion.isWhole else { return [] }
        let source = node.source
        var bytes: [UInt8] = []
        var frames: [Frame] = []
        var next: JSONChild? = JSONChild(name: [], value: node.index, exclusion: exclusion)
        while true {
            if let child = next {
                switch source.tokens[child.value].kind {
                case .object, .array:
                    let isObject = source.tokens[child.value].kind == .object
                    bytes.append(isObject ? UInt8(ascii: "{") : UInt8(ascii: "["))
                    frames.append(
                        Frame(isObject: isObject, children: source.children(of: child.value, child.exclusion)))
                default: source.appendCanonicalScalar(at: child.value, to: &bytes)
                }
            }
            guard var frame = frames.popLast() else { return bytes }
            guard frame.written < frame.children.count else {
                bytes.append(frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"))
                next = nil
                continue
            }
            let child = frame.children[frame.written]
            if frame.written > 0 { bytes.append(UInt8(ascii: ",")) }
            if frame.isObject {
                bytes += child.name
                bytes.append(UInt8(ascii: ":"))
            }
            frame.written += 1
            frames.append(frame)
            next = child
        }
    }
}

/// What a comparison leaves out, as seen from one value: the rest of each pointer that leads on from there.
struct JSONExclusion {
    private let pointers: [ArraySlice<String>]

    private init(pointers: [ArraySlice<String>]) { self.pointers = pointers }

    /// Takes pointers from the whole document, in which `*` stands for any name or index.
    init(_ pointers: [JSONPointer]) {
        self.init(pointers: pointers.map { $0.components[...] })
    }

    /// Whether nothing in the value is left out.
    var isEmpty: Bool { pointers.isEmpty }

    /// Whether the value itself is left out.
    var isWhole: Bool { pointers.contains(where: \.isEmpty) }

    /// The same as seen from a member or an element.
    func inside(_ component: JSONString) -> JSONExclusion {
        let leading = pointers.filter { $0.first == "*" || $0.first.map { JSONString($0) } == component }
        return JSONExclusion(pointers: leading.map { $0.dropFirst() })
    }
}
