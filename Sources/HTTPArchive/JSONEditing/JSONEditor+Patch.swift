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
        editor.update(editable)
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
        update(merged)
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
            editable.removeAll(named: Set(members.filter { $0.value == .null }.map(\.name)), of: number)
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
