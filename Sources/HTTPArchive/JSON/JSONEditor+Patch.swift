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
