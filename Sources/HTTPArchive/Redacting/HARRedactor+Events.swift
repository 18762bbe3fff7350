package import Foundation

extension HARRedactor {
    /// Returns an event with its secrets replaced.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - findings: An array that receives the secrets, with locations relative to the entry or the field.
    /// - Returns: The same event if it has no secrets.
    package func redacted(_ event: HAREvent, noting findings: inout [Finding]) -> HAREvent {
        var found: [Finding]? = []
        defer { findings += found ?? [] }
        switch event {
        case .entry(let entry):
            return .entry(HAR.Entry(fields: redacted(entry.fields, as: .entry, noting: &found)))
        case .field(let member):
            let fields = redacted(JSONObject(members: [member]), as: .other, noting: &found)
            return .field(fields.members.first ?? member)
        case .unexpectedValue(let value):
            let fields = redacted(JSONObject(members: [.init(name: "", value: value)]), as: .other, noting: &found)
            return .unexpectedValue(fields.members.first?.value ?? value)
        case .beginLog, .endLog, .beginEntries, .endEntries: return event
        }
    }
}

extension HARRedactor {
    /// Returns a body with its secrets replaced.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - mediaType: The media type with its parameters, or nil to detect the format from the content.
    /// - Returns: The same bytes if there are no secrets.
    /// - Complexity: O(*n*) in the size of the body.
    package func redacted(body: Data, mediaType: String?) -> Data {
        let edits = edits(in: body, mediaType)
        return edits.isEmpty ? body : body.withUnsafeBytes { Data(edits.applied(to: $0)) }
    }

    /// Writes a body with its secrets replaced, in chunks and without a copy of the whole body, which may be
    /// memory-mapped.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - mediaType: The media type with its parameters, or nil to detect the format from the content.
    ///   - write: A closure that receives the chunks, in order.
    /// - Throws: Errors thrown by `write`.
    package func redact(body: Data, mediaType: String?, into write: (Data) throws -> Void) throws {
        var offset = 0
        for edit in edits(in: body, mediaType) {
            if edit.range.lowerBound > offset { try write(body.slice(offset..<edit.range.lowerBound)) }
            try write(Data(edit.replacement))
            offset = edit.range.upperBound
        }
        if offset < body.count { try write(body.slice(offset..<body.count)) }
    }

    /// Returns the edits of the second pass, which finds everything that the first one does, and further occurrences of
    /// the secrets that the first one learned.
    private func edits(in body: Data, _ mediaType: String?) -> [TextEdit] {
        body.withUnsafeBytes { bytes in
            var first = Redaction(rules)
            let edits = first.bodyEdits(in: bytes, as: mediaType)
            if first.learned.isEmpty { return edits }
            var learned = rules.known
            learned.formUnion(first.learned)
            var second = Redaction(rules, repeated: learned)
            return second.bodyEdits(in: bytes, as: mediaType)
        }
    }
}

extension Data {
    /// Returns a slice for offsets counted from 0, which shares the bytes.
    fileprivate func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
