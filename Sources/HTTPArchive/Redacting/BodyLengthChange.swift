/// The length of a body before and after a change, in bytes.
///
/// An entry records the length of a body in up to five fields: `Content-Length`, `bodySize`, `_transferSize`, `size`
/// and `compression`. A field is updated only if it is consistent with the old length. Other values have a different
/// meaning, such as the length of an encoded transfer.
package struct BodyLengthChange: Sendable {
    /// The length of the old body.
    let old: Int

    /// The length of the new body.
    let new: Int

    /// Creates a change.
    ///
    /// - Parameters:
    ///   - old: The length of the old body, in bytes, without content codings.
    ///   - new: The length of the new body.
    package init(from old: Int, to new: Int) {
        self.old = old
        self.new = new
    }

    /// Updates the lengths in a request or a response.
    ///
    /// - Parameters:
    ///   - message: The fields of the request or response.
    ///   - textChanges: The changes in the length of the body's text, in UTF-8 and UTF-16 code units. Some tools record
    ///     one of these lengths as `size`. Empty by default, for a body without text.
    package func update(_ message: inout JSONObject, textChanges: [BodyLengthChange] = []) {
        let wireSize = message.int("bodySize")
        let isIncomplete = ["_error", "_failureText"].contains { message[$0]?.text?.isEmpty == false }
        if let headers = message["headers"]?.array {
            let updated = headers.map { updatedHeader($0, isIncomplete: isIncomplete) }
            if updated != headers { message["headers"] = .array(updated) }
        }
        if let wireSize, wireSize == old {
            message["bodySize"] = .number(JSONNumber(new))
            if let size = message.int("_transferSize"), size >= old {
                message["_transferSize"] = .number(JSONNumber((size - old).adding(clamping: new)))
            }
        }
        guard var content = message["content"]?.object, let size = content.int("size") else { return }
        guard let change = ([self] + textChanges).first(where: { $0.old == size }) else { return }
        content["size"] = .number(JSONNumber(change.new))
        if let wireSize, content.int("compression") == size.subtracting(clamping: wireSize) {
            let newWireSize = wireSize == old ? new : wireSize
            content["compression"] = .number(JSONNumber(change.new.subtracting(clamping: newWireSize)))
        }
        message["content"] = .object(content)
    }

    /// Returns a header field, with its value updated if it is a `Content-Length` field.
    ///
    /// If only part of the body was received, the recorded length is greater than the old length, and the difference is
    /// preserved. Repeated fields may be joined with commas (RFC 9110, section 8.6) or, in Chromium, with line breaks.
    private func updatedHeader(_ header: JSONValue, isIncomplete: Bool) -> JSONValue {
        guard var field = header.object, field.text("name")?.lowercased() == "content-length" else { return header }
        let values = field.text("value")?.split { $0 == "," || $0.isNewline }
        let lengths = Set((values ?? []).map { Int($0.filter { !$0.isWhitespace }) })
        guard lengths.count == 1, case let length?? = lengths.first, length == old || isIncomplete && length > old
        else { return header }
        field["value"] = .string(JSONString(String((length - old).adding(clamping: new))))
        return .object(field)
    }
}

/// A request or a response.
protocol MessageWithBody: HARObject {
    /// The body.
    var body: HAR.Body { get }

    /// The text of the body, or nil if it is not recorded as text.
    var encodedText: BodyText? { get }
}

extension HAR.Request: MessageWithBody {}
extension HAR.Response: MessageWithBody {}

extension MessageWithBody {
    /// Updates the recorded lengths after a change to the body.
    ///
    /// - Parameter old: The message before the change, with the same headers and sizes.
    mutating func updateLengths(from old: Self) {
        guard let oldCount = old.body.data?.count else { return }
        guard let oldText = old.encodedText, let newText = encodedText else {
            return BodyLengthChange(from: oldCount, to: body.data?.count ?? oldCount).update(&fields)
        }
        var textChanges: [BodyLengthChange] = []
        // Only responses have a recorded size.
        if oldText.size != nil {
            let (old, new) = (oldText.text.text, newText.text.text)
            textChanges = [.init(from: old.utf8.count, to: new.utf8.count)]
            textChanges.append(.init(from: old.utf16.count, to: new.utf16.count))
        }
        let newCount = oldText.byteCount(of: newText.text)
        BodyLengthChange(from: oldCount, to: newCount).update(&fields, textChanges: textChanges)
    }
}

extension HAR.Entry {
    /// Returns the entry with updated lengths after a body in a separate file has changed.
    ///
    /// - Parameters:
    ///   - reference: The reference to the file.
    ///   - change: The size of the file before and after the change.
    /// - Returns: The updated entry. Lengths that differ from the old size are left unchanged.
    package func updatingLengths(of reference: BodyReference, by change: BodyLengthChange) -> HAR.Entry {
        var entry = self
        guard let name = reference.pointer.components.first, var message = self[name]?.object else { return self }
        change.update(&message)
        entry[name] = .object(message)
        if name == "response", change.old != change.new { entry.fields.removeChunkSizes() }
        return entry
    }
}

extension JSONObject {
    /// Removes the sizes of the chunks of an entry's body, which would reveal the length of a replaced secret.
    package mutating func removeChunkSizes() {
        guard let chunks = self["_chunks"]?.array else { return }
        self["_chunks"] = .array(
            chunks.map { chunk in
                guard let fields = chunk.object else { return chunk }
                let names: Set = ["size", "bytes"]
                return .object(JSONObject(members: fields.members.filter { !names.contains($0.name.text) }))
            })
    }
}
