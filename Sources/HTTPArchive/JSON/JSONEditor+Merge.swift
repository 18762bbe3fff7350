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
            for member in members where member.value == .null {
                draft.removeAll(named: member.name, of: number)
            }
            for member in members where member.value != .null {
                let slot = draft.openMember(member.name, of: number)
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
