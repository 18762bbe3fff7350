import ArchiveChecking
import HTTPArchive

/// Quickly determines whether an object needs no repair.
enum FieldCheck {
    /// Returns whether an object needs no repair.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - kind: The kind of object.
    /// - Returns: `false` if the object may need a repair.
    static func conforms(_ object: JSONNode, as kind: HARObjectKind) -> Bool {
        for index in object.index..<object.next {
            let node = JSONNode(source: object.source, index: index)
            if node.kind == .string || node.kind == .key, node.isLossy { return false }
        }
        return hasValidFields(object, kind)
    }

    private static func hasValidFields(_ object: JSONNode, _ kind: HARObjectKind) -> Bool {
        let table = kind.table
        var found: UInt32 = 0
        var isValid = true
        object.forEachMember { key, value in
            if let index = table.index(of: key) {
                found |= 1 << UInt32(index)
                isValid = isValidValue(value, table.fields[index])
            }
            return isValid
        }
        guard isValid, table.required & ~found == 0 else { return false }
        return switch kind {
        case .content, .postData: hasValidBody(object)
        case .request: HAR.Request(fields: JSONObject(node: object)).undeclaredBody?.isUnmarkedBase64 != true
        case .response: HAR.Response(fields: JSONObject(node: object)).undeclaredBody?.isUnmarkedBase64 != true
        default: true
        }
    }

    private static func isValidValue(_ value: JSONNode, _ field: HARField) -> Bool {
        switch (field.value, value.kind) {
        case (_, .null): field.absence == nil
        case (.text, .string), (.url, .string), (.httpVersion, .string): true
        case (.date, .string): HAR.date(value.string.text) != nil
        case (.boolean, .true), (.boolean, .false): true
        case (.number, .number), (.time, .number), (.optionalTime, .number): true
        case (.size, .number), (.status, .number): value.isPlainInteger
        case (.object(let kind), .object): hasValidFields(value, kind)
        case (.array(let kind), .array): value.elements.allSatisfy { $0.kind == .object && hasValidFields($0, kind) }
        default: false
        }
    }

    private static func hasValidBody(_ body: JSONNode) -> Bool {
        if let path = body["_file"]?.text, HAR.BodyFolder.mayLeave(path) { return false }
        guard body["encoding"]?.text?.lowercased() == "base64", let text = body["text"], text.kind == .string else {
            return true
        }
        var base64 = Base64Text()
        text.forEachPart { base64.take($0) }
        return !base64.isMalformed
    }
}

extension JSONSource {
    /// Returns the paths of the values at offsets in the text.
    ///
    /// - Parameter offsets: The offsets, in ascending order.
    /// - Returns: The names and array indices on the path to each value.
    /// - Complexity: O(*n*) in the size of the value.
    func paths(to offsets: [Int]) -> [[String]] {
        var paths: [[String]] = []
        var stack: [(isArray: Bool, index: Int, key: Int)] = []
        // The path of the innermost container, which many values can share.
        var outer: [String]?
        // Before its first element or member, the value is the container itself.
        func name(_ level: (isArray: Bool, index: Int, key: Int)) -> String? {
            if level.isArray { return level.index < 0 ? nil : String(level.index) }
            return level.key < 0 ? nil : JSONNode(source: self, index: level.key).string.text
        }
        for (index, token) in tokens.enumerated() where paths.count < offsets.count {
            if let last = stack.indices.last {
                if token.kind == .key { stack[last].key = index }
                if stack[last].isArray, token.kind != .close { stack[last].index += 1 }
            }
            while paths.count < offsets.count, offsets[paths.count] < Int(token.end) {
                let path = outer ?? stack.dropLast().compactMap(name)
                outer = path
                paths.append(path + [stack.last.flatMap(name)].compactMap(\.self))
            }
            if token.kind == .object || token.kind == .array || token.kind == .close { outer = nil }
            switch token.kind {
            case .object, .array: stack.append((token.kind == .array, -1, -1))
            case .close: stack.removeLast()
            default: break
            }
        }
        return paths + Array(repeating: [], count: offsets.count - paths.count)
    }
}
