package import Foundation

/// An editor for JSON text that leaves everything except the edited values unchanged, byte for byte.
///
/// Numbers, the order of members, escape sequences, whitespace, a leading byte order mark, and invalid UTF-8 are
/// preserved. New members have the layout of their neighbors. New values are written without whitespace, except for
/// parsed objects, which keep their text. If the text is not valid UTF-8, new text is ASCII.
package struct JSONEditor: Sendable {
    /// The state of the document: opened for edits, or text that has not been parsed yet.
    private enum State {
        case editable(EditableJSON)
        case text([UInt8])
    }

    /// The text before and after the document's value: whitespace and a byte order mark.
    private let leading: [UInt8]
    private let trailing: [UInt8]

    private let isUTF8: Bool
    private var state: State

    /// The maximum number of bytes that new values may add to the document.
    private static let sizeLimit = JSONScanner.Limits.document.valueSize

    /// The number of bytes that new values have added.
    private var addedSize = 0

    /// Creates an editor.
    ///
    /// - Parameter text: A JSON document.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded` beyond 256 MiB or 512 levels.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package init(_ text: Data) throws(HARError) {
        let mark: [UInt8] = text.starts(with: [0xEF, 0xBB, 0xBF]) ? [0xEF, 0xBB, 0xBF] : []
        let source = try JSONSource.parsing(text.dropFirst(mark.count), after: mark.count)
        leading = [UInt8](text.prefix(source.offset))
        trailing = [UInt8](text.dropFirst(source.offset + source.bytes.count))
        isUTF8 = source.root.isUTF8
        state = .editable(EditableJSON(source.root, isUTF8: isUTF8))
    }

    /// The text with all edits.
    ///
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package var text: Data { Data(leading + valueText + trailing) }

    private var valueText: [UInt8] {
        switch state {
        case .editable(let editable): editable.text
        case .text(let text): text
        }
    }
}

extension JSONEditor {
    /// Sets the value at a pointer.
    ///
    /// The value replaces an existing value. If the parent is an object without the member, the member is added. If the
    /// parent is an array, and the pointer ends with `-` or the number of elements, an element is appended. The empty
    /// pointer refers to the whole document.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - pointer: The location. If several members have the same name, it refers to the last of them.
    /// - Throws: `editFailed` with the part of the pointer that exists, or `limitExceeded` beyond 256 MiB or 512
    ///   levels.
    package mutating func set(_ value: JSONValue, at pointer: JSONPointer) throws(HARError) {
        var editable = try takeEditable()
        defer { state = .editable(editable) }
        try put(try editable.node(value), at: pointer, .set, in: &editable)
    }

    /// Removes the value at a pointer, along with one comma.
    ///
    /// If the value belongs to a member, all members with the same name are removed.
    ///
    /// - Parameter pointer: The location of the value.
    /// - Throws: `editFailed` with the part of the pointer that exists, or if the pointer refers to the whole document.
    package mutating func remove(at pointer: JSONPointer) throws(HARError) {
        var editable = try takeEditable()
        defer { state = .editable(editable) }
        try editable.remove(at: pointer)
    }
}

extension JSONEditor {
    /// Returns the document, opened for edits.
    private func editable() throws(HARError) -> EditableJSON {
        switch state {
        case .editable(let editable): editable
        case .text(let text): EditableJSON(try JSONSource.parsing(written: text).root, isUTF8: isUTF8)
        }
    }

    /// Moves the document out of the editor for one edit.
    ///
    /// The caller must store it again afterward.
    ///
    /// During the edit, the document has a single owner, so nothing is copied.
    private mutating func takeEditable() throws(HARError) -> EditableJSON {
        let editable = try editable()
        state = .text([])
        return editable
    }

    /// Stores a value in a document, enforcing the limits of size and depth.
    private mutating func put(
        _ node: JSONNode, at pointer: JSONPointer, _ placement: EditableJSON.Placement, in editable: inout EditableJSON
    ) throws(HARError) {
        let size = addedSize + node.range.count
        guard size <= Self.sizeLimit else {
            throw HARError(
                .limitExceeded, "New values would add more than \(Self.sizeLimit) bytes to the document.",
                at: .init(pointer: pointer))
        }
        try editable.put(node, at: pointer, placement)
        addedSize = size
    }
}

extension JSONEditor {
    /// Replaces the values of all members with the given names, at any depth, including in arrays.
    ///
    /// The type of the old value does not matter. No members are added, and new values are not searched. Text larger
    /// than 4 GiB is left unchanged.
    ///
    /// - Parameter values: The new values, by member name.
    /// - Complexity: O(*n*), where *n* is the length of the text.
    package mutating func replaceMembers(_ values: [String: JSONValue]) {
        guard !values.isEmpty, let editable = try? editable(), let node = try? editable.node(editable[.root]) else {
            return
        }
        var texts: [JSONString: [UInt8]] = [:]
        for (name, value) in values { texts[JSONString(name)] = editable.text(of: value) }
        if let text = node.source.replacingMembers(texts, of: node) { state = .text(text) }
    }
}

extension JSONSource {
    /// Returns the text of a value with new values for all members with the given names.
    ///
    /// - Parameters:
    ///   - texts: The JSON text of each new value, by member name.
    ///   - node: The value.
    /// - Returns: The text, or nil if no member has one of the names.
    fileprivate func replacingMembers(_ texts: [JSONString: [UInt8]], of node: JSONNode) -> [UInt8]? {
        // Most names differ in size from all given names, so they need not be decoded.
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

extension JSONEditor {
    /// Applies all operations of a JSON Patch (RFC 6902, https://www.rfc-editor.org/rfc/rfc6902), or none if one fails.
    ///
    /// - Parameter patch: The patch.
    /// - Throws: `editFailed` if a location does not exist or a test fails, or `limitExceeded` beyond 256 MiB or 512
    ///   levels, with the operation's index (from 0), name and pointer. After an error, the text is unchanged.
    package mutating func apply(_ patch: JSONPatch) throws(HARError) {
        var editor = self
        var editable = try editable()
        for (index, step) in patch.steps.enumerated() {
            do throws(HARError) {
                try editor.apply(step, to: &editable)
            } catch {
                throw HARError(
                    error.code, "Operation \(index) (\(step.operation.name) \(step.pointer)): \(error.message)",
                    at: error.context)
            }
        }
        editor.state = .editable(editable)
        self = editor
    }

    /// Applies one operation (RFC 6902, section 4).
    private mutating func apply(_ step: JSONPatch.Step, to editable: inout EditableJSON) throws(HARError) {
        switch step.operation {
        case .add(let value):
            try put(try editable.node(value), at: step.pointer, .insert, in: &editable)
        case .remove:
            try editable.remove(at: step.pointer)
        case .replace(let value):
            try put(try editable.node(value), at: step.pointer, .replace, in: &editable)
        case .move(let source):
            let slot = try editable.slot(at: source)
            guard source != step.pointer else { return }
            let node = try editable.node(editable[slot])
            try editable.remove(at: source)
            try editable.put(node, at: step.pointer, .insert)
        case .copy(let source):
            let slot = try editable.slot(at: source)
            try put(try editable.node(editable[slot]), at: step.pointer, .insert, in: &editable)
        case .test(let value):
            let slot = try editable.slot(at: step.pointer)
            let expected = JSONCanonicalText.bytes(of: try editable.node(value))
            guard JSONCanonicalText.bytes(of: try editable.node(editable[slot])) == expected else {
                throw HARError(
                    .editFailed, "The value differs from the expected value.", at: .init(pointer: step.pointer))
            }
        }
    }
}

extension JSONEditor {
    /// Applies a merge patch (RFC 7396, https://www.rfc-editor.org/rfc/rfc7396).
    ///
    /// Each member of the patch sets the member with the same name in the document. `null` removes the member, and
    /// objects are merged recursively. A patch that is not an object replaces the document. All other members are
    /// unchanged, byte for byte. A patch larger than 4 GiB changes nothing.
    ///
    /// - Parameter patch: The patch.
    package mutating func merge(_ patch: JSONValue) {
        guard let merged = try? merged(patch) else { return }
        state = .editable(merged)
    }

    private func merged(_ patch: JSONValue) throws(HARError) -> EditableJSON {
        var editable = try editable()
        guard let object = patch.object else {
            editable[.root] = .unopened(try editable.node(patch))
            return editable
        }
        var pending: [(slot: EditableJSON.Slot, patch: JSONObject)] = [(.root, object)]
        while let (slot, patch) = pending.popLast() {
            let number = editable.openObject(slot)
            let members = patch.distinctMembers
            // Remove members first. Removing them later would change the slots of members that have not been merged
            // yet.
            editable.containers[number].removeAll(named: Set(members.filter { $0.value == .null }.map(\.name)))
            let indices = editable.containers[number].indices
            for member in members where member.value != .null {
                let slot = editable.openMember(member.name, at: indices[member.name], of: number)
                if let inner = member.value.object {
                    pending.append((slot, inner))
                } else {
                    editable[slot] = .unopened(try editable.node(member.value))
                }
            }
        }
        return editable
    }
}

extension JSONObject {
    /// The last member with each name, in order.
    fileprivate var distinctMembers: [Member] {
        let members = members
        var last: [JSONString: Int] = [:]
        for (index, member) in members.enumerated() { last[member.name] = index }
        return members.enumerated().filter { last[$1.name] == $0 }.map(\.element)
    }
}
