package import Foundation

extension JSONValue {
    /// Returns the canonical text of the value.
    ///
    /// Two values have the same canonical text if and only if they are equivalent. The order of members, whitespace,
    /// escape sequences and the notation of numbers do not matter: `1`, `1.0` and `10e-1` are the same number, and so
    /// are `0` and `-0`. Numbers of any size are compared digit by digit. If several members have the same name, the
    /// last one is used.
    ///
    /// - Parameter ignored: Pointers to the values to omit. `*` matches any name or index, as in `/items/*/id`, and
    ///   `**` any number of them, as in `/**/id`.
    /// - Returns: The text, which is empty if the whole value is omitted.
    /// - Complexity: O(*n* log *n*), where *n* is the length of the text.
    package func canonicalText(ignoring ignored: [JSONPointer] = []) -> Data {
        // Only a value larger than 4 GiB has no node.
        guard let node = JSONNode(self) else { return data() }
        return Data(JSONCanonicalText.bytes(of: node, JSONExclusion(ignored)))
    }
}

/// A member or an element, with the canonical text of its name.
struct JSONChild {
    /// The quoted name, or an empty array for an element.
    let name: [UInt8]

    /// The index of the value's first token.
    let value: Int

    let exclusion: JSONExclusion
}

extension JSONSource {
    /// Returns the elements of an array, or the members of an object sorted by the bytes of their names.
    ///
    /// Ignored values are excluded.
    ///
    /// Only the last of several members with the same name is returned.
    func children(of container: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        tokens[container].kind == .array ? elements(of: container, exclusion) : members(of: container, exclusion)
    }

    private func elements(of array: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        var children: [JSONChild] = []
        var count = 0
        forEachElement(of: array) { element in
            let inside = exclusion.inside(JSONString(String(count)))
            if !inside.isWhole { children.append(JSONChild(name: [], value: element, exclusion: inside)) }
            count += 1
        }
        return children
    }

    private func members(of object: Int, _ exclusion: JSONExclusion) -> [JSONChild] {
        var children: [JSONChild] = []
        JSONNode(source: self, index: object).forEachMember { key, value in
            let inside = exclusion.inside(key.string)
            guard !inside.isWhole else { return true }
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
        return distinct
    }

    /// Returns the canonical text of a scalar or a key.
    func canonicalScalar(at index: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        appendCanonicalScalar(at: index, to: &bytes)
        return bytes
    }

    /// Appends the canonical text of a scalar or a key.
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

    /// Appends the canonical form of a quoted string.
    ///
    /// Only quotation marks, backslashes, control characters and lone surrogates are escaped.
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

/// A generator of canonical text.
enum JSONCanonicalText {
    /// A part of the text that has not been written yet.
    private enum Part {
        case value(JSONChild)
        case punctuation(UInt8)
    }

    /// Returns the canonical text of a value, excluding ignored values.
    static func bytes(of node: JSONNode, _ exclusion: JSONExclusion = .init([])) -> [UInt8] {
        guard !exclusion.isWhole else { return [] }
        let source = node.source
        var bytes: [UInt8] = []
        var pending = [Part.value(JSONChild(name: [], value: node.index, exclusion: exclusion))]
        while let part = pending.popLast() {
            switch part {
            case .punctuation(let byte): bytes.append(byte)
            case .value(let child):
                if !child.name.isEmpty {
                    bytes += child.name
                    bytes.append(UInt8(ascii: ":"))
                }
                let kind = source.tokens[child.value].kind
                guard kind == .object || kind == .array else {
                    source.appendCanonicalScalar(at: child.value, to: &bytes)
                    continue
                }
                bytes.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
                pending.append(.punctuation(kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]")))
                let children = source.children(of: child.value, child.exclusion)
                for index in children.indices.reversed() {
                    pending.append(.value(children[index]))
                    if index > 0 { pending.append(.punctuation(UInt8(ascii: ","))) }
                }
            }
        }
        return bytes
    }
}

/// The values that a comparison ignores, as pointers relative to one value.
struct JSONExclusion {
    private let pointers: [ArraySlice<String>]

    private init(pointers: [ArraySlice<String>]) { self.pointers = pointers }

    /// Creates an exclusion from pointers relative to the whole document, in which `*` matches any name or index, and
    /// `**` any number of them.
    init(_ pointers: [JSONPointer]) {
        self.init(pointers: pointers.map { $0.components[...] })
    }

    /// Whether nothing in the value is ignored.
    private var isEmpty: Bool { pointers.isEmpty }

    /// Whether the whole value is ignored.
    var isWhole: Bool { pointers.contains(where: \.isEmpty) }

    /// Returns the exclusion relative to a member or an element.
    func inside(_ component: @autoclosure () -> JSONString) -> JSONExclusion {
        // Usually nothing is ignored, and then the component need not be decoded.
        guard !isEmpty else { return self }
        let component = component()
        return JSONExclusion(pointers: pointers.flatMap { Self.pointers($0, inside: component) })
    }

    private static func pointers(_ pointer: ArraySlice<String>, inside name: JSONString) -> [ArraySlice<String>] {
        switch pointer.first {
        case "**": [pointer] + pointers(pointer.drop { $0 == "**" }, inside: name)
        case "*": [pointer.dropFirst()]
        case let first?: JSONString(first) == name ? [pointer.dropFirst()] : []
        case nil: []
        }
    }
}
