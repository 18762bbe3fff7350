extension JSONEditor {
    /// Applies a JSON Patch (RFC 6902, https://www.rfc-editor.org/rfc/rfc6902): all of its operations, or none.
    ///
    /// - Parameter patch: The patch.
    /// - Throws: `overrideFailed`, with the operation's index, counted from 0, its name and its pointer, when a place does
    ///   not exist or a test fails; `limitExceeded` over 1 GiB or 512 levels. The text is as before then.
    package mutating func apply(_ patch: JSONPatch) throws(HARError) {
        var editor = self
        var draft = try draft()
        for (index, step) in patch.steps.enumerated() {
            do throws(HARError) {
                try editor.apply(step, to: &draft)
            } catch {
                throw HARError(
                    error.code, "Operation \(index) (\(step.operation.name) \(step.pointer)): \(error.message)",
                    at: error.context)
            }
        }
        editor.update(draft)
        self = editor
    }

    /// Applies one operation (RFC 6902, section 4).
    private mutating func apply(_ step: JSONPatch.Step, to draft: inout JSONDraft) throws(HARError) {
        switch step.operation {
        case .add(let value):
            try put(try draft.node(value), at: step.pointer, .insert, in: &draft)
        case .remove:
            try draft.remove(at: step.pointer)
        case .replace(let value):
            try put(try draft.node(value), at: step.pointer, .replace, in: &draft)
        case .move(let source):
            let slot = try draft.slot(at: source)
            guard source != step.pointer else { return }
            let node = try draft.node(draft[slot])
            try draft.remove(at: source)
            try draft.put(node, at: step.pointer, .insert)
        case .copy(let source):
            let slot = try draft.slot(at: source)
            try put(try draft.node(draft[slot]), at: step.pointer, .insert, in: &draft)
        case .test(let value):
            let slot = try draft.slot(at: step.pointer)
            let expected = JSONCanonicalText.bytes(of: try draft.node(value))
            guard JSONCanonicalText.bytes(of: try draft.node(draft[slot])) == expected else {
                throw HARError(.overrideFailed, "The value there is another.", at: .init(pointer: step.pointer))
            }
        }
    }
}

extension JSONEditor {
    /// Applies a merge patch (RFC 7396, https://www.rfc-editor.org/rfc/rfc7396).
    ///
    /// The members of an object are set in the document's, those that are `null` are removed from it, and objects are
    /// merged in the same way. Any other patch replaces the document. Members that the patch does not name stay byte for
    /// byte. A patch of more than 4 GiB changes nothing.
    ///
    /// - Parameter patch: The patch.
    package mutating func merge(_ patch: JSONValue) {
        guard let merged = try? merged(patch) else { return }
        update(merged)
    }

    private func merged(_ patch: JSONValue) throws(HARError) -> JSONDraft {
        var draft = try draft()
        guard let object = patch.object else {
            draft[.root] = .unopened(try draft.node(patch))
            return draft
        }
        var pending: [(slot: JSONDraft.Slot, patch: JSONObject)] = [(.root, object)]
        while let (slot, patch) = pending.popLast() {
            let number = draft.openObject(slot)
            let members = patch.distinctMembers
            // Later removals would move the slots of what is still to be merged.
            draft.removeAll(named: Set(members.filter { $0.value == .null }.map(\.name)), of: number)
            let places = draft.containers[number].places
            for member in members where member.value != .null {
                let slot = draft.openMember(member.name, at: places[member.name], of: number)
                if let inner = member.value.object {
                    pending.append((slot, inner))
                } else {
                    draft[slot] = .unopened(try draft.node(member.value))
                }
            }
        }
        return draft
    }
}

extension JSONObject {
    /// The members in their order, of a name that stands twice the last one only.
    fileprivate var distinctMembers: [Member] {
        let members = members
        var last: [JSONString: Int] = [:]
        for (index, member) in members.enumerated() { last[member.name] = index }
        return members.enumerated().filter { last[$1.name] == $0 }.map(\.element)
    }
}
