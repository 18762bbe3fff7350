package import Foundation

extension HARRedactor {
    /// Returns an event with its secrets replaced.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - findings: An array to which the secrets are appended, with locations relative to the entry or field.
    /// - Returns: The redacted event, or the same event if it has no secrets.
    package func redacted(_ event: HAREvent, noting findings: inout [Finding]) -> HAREvent {
        func searched(_ object: JSONObject, as part: Redaction.Part) -> JSONObject {
            let result = search(object, as: part, notesFindings: true)
            findings += result.findings
            return result.object
        }
        switch event {
        case .entry(let entry): return .entry(HAR.Entry(fields: searched(entry.fields, as: .entry)))
        case .field(let member):
            return .field(searched(JSONObject(members: [member]), as: .other).members.first ?? member)
        case .unexpectedValue(let value):
            let fields = searched(JSONObject(members: [.init(name: "", value: value)]), as: .other)
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
        edits(in: body, mediaType).edits.applied(to: body)
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
        let found = edits(in: body, mediaType, notesFindings: true)
        findings += found.findings
        return found.edits.applied(to: body)
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
        for edit in edits(in: body, mediaType).edits {
            let count = edit.range.lowerBound - offset
            if count > 0 { try write(body.dropFirst(offset).prefix(count)) }
            try write(Data(edit.replacement))
            offset = edit.range.upperBound
        }
        if offset < body.count { try write(body.dropFirst(offset)) }
    }

    /// Returns the edits that redact a body.
    ///
    /// If the first pass learns secrets, a second pass repeats the search and also finds their other occurrences.
    private func edits(
        in body: Data, _ mediaType: String?, notesFindings: Bool = false
    ) -> (edits: [TextEdit], findings: [Finding]) {
        body.withUnsafeBytes { bytes in
            var pass = Redaction(rules)
            pass.findings = notesFindings ? [] : nil
            var edits = pass.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) }
            if !pass.learned.isEmpty {
                var known = rules.known
                known.formUnion(pass.learned)
                pass = Redaction(rules, repeated: known)
                pass.findings = notesFindings ? [] : nil
                edits = pass.limited(bytes) { $0.bodyEdits(in: $1, as: mediaType) }
            }
            return (edits, pass.findings ?? [])
        }
    }
}

extension [TextEdit] {
    /// Returns a body with these edits applied.
    func applied(to body: Data) -> Data { isEmpty ? body : body.withUnsafeBytes { Data(applied(to: $0)) } }
}
