package import Foundation

extension HARRedactor {
    /// Returns an event with its secrets replaced.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - findings: An array to which the secrets are appended, with locations relative to the entry or field.
    /// - Returns: The redacted event, or the same event if it has no secrets.
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
    /// - Returns: The redacted bytes, or the same bytes if they contain no secrets.
    /// - Complexity: O(*n*), where *n* is the size of the body.
    package func redacted(body: Data, mediaType: String?) -> Data {
        var findings: [Finding]?
        return redacted(body: body, mediaType: mediaType, noting: &findings)
    }

    /// Returns a body with its secrets replaced.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - mediaType: The media type with its parameters, or nil to detect the format from the content.
    ///   - findings: An array to which the secrets are appended, with locations relative to the body.
    /// - Returns: The redacted bytes, or the same bytes if they contain no secrets.
    /// - Complexity: O(*n*), where *n* is the size of the body.
    package func redacted(body: Data, mediaType: String?, noting findings: inout [Finding]) -> Data {
        var found: [Finding]? = []
        let redacted = redacted(body: body, mediaType: mediaType, noting: &found)
        findings += found ?? []
        return redacted
    }

    private func redacted(body: Data, mediaType: String?, noting findings: inout [Finding]?) -> Data {
        let edits = edits(in: body, mediaType, noting: &findings)
        return edits.isEmpty ? body : body.withUnsafeBytes { Data(edits.applied(to: $0)) }
    }

    /// Writes a body in chunks, with its secrets replaced.
    ///
    /// The body is never copied as a whole, so it can be memory-mapped.
    ///
    /// - Parameters:
    ///   - body: The bytes, without content codings.
    ///   - mediaType: The media type with its parameters, or nil to detect the format from the content.
    ///   - write: A closure that receives the chunks, in order.
    /// - Throws: Errors thrown by `write`.
    package func redact(body: Data, mediaType: String?, into write: (Data) throws -> Void) throws {
        var offset = 0
        var findings: [Finding]?
        for edit in edits(in: body, mediaType, noting: &findings) {
            if edit.range.lowerBound > offset { try write(body.slice(offset..<edit.range.lowerBound)) }
            try write(Data(edit.replacement))
            offset = edit.range.upperBound
        }
        if offset < body.count { try write(body.slice(offset..<body.count)) }
    }

    /// Returns the edits that redact a body.
    ///
    /// If the first pass learns secrets, a second pass repeats the search and also finds their other occurrences.
    private func edits(in body: Data, _ mediaType: String?, noting findings: inout [Finding]?) -> [TextEdit] {
        body.withUnsafeBytes { bytes in
            var first = Redaction(rules)
            first.findings = findings
            let edits = first.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) }
            if first.learned.isEmpty {
                findings = first.findings
                return edits
            }
            var learned = rules.known
            learned.formUnion(first.learned)
            var second = Redaction(rules, repeated: learned)
            second.findings = findings
            defer { findings = second.findings }
            return second.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) }
        }
    }
}

extension Data {
    /// Returns the slice at a range of zero-based offsets, without copying the bytes.
    fileprivate func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
