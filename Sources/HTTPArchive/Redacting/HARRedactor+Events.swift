package import Foundation

extension HARRedactor {
    /// A part of an archive without secrets.
    ///
    /// - Parameters:
    ///   - event: The part.
    ///   - findings: Takes the secrets that were there, with places from the entry or the field on.
    /// - Returns: The same part where it has none.
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

    /// The secrets of a part of an archive, as findings of a check.
    ///
    /// - Parameters:
    ///   - event: The part.
    ///   - pointer: The location of the part in the document.
    ///   - byteOffset: Where it is in the file.
    ///   - folder: The folder of the archive; files of bodies that cannot be read are skipped.
    /// - Returns: The findings, which have kinds, names and places.
    package func findings(
        in event: HAREvent, at pointer: JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
    ) -> [HARFinding] {
        var findings: [Finding] = []
        _ = redacted(event, noting: &findings)
        if case .entry(let entry) = event {
            for file in BodyReference.references(of: entry) {
                guard let body = try? folder.read(file.name) else { continue }
                findings += secrets(in: body, mediaType: file.mediaType).map {
                    Finding(kind: $0.kind, name: $0.name, pointer: file.pointer)
                }
            }
        }
        return findings.map { finding in
            let name = finding.name.map { " " + $0.quoted } ?? ""
            return HARFinding(
                severity: .error, rule: .secret,
                pointer: JSONPointer(pointer.components + finding.pointer.components), byteOffset: byteOffset,
                message: "A secret (\(finding.kind)\(name)); `har redact` takes it out.")
        }
    }
}

extension HARRedactor {
    /// A body without secrets.
    ///
    /// - Parameters:
    ///   - body: The bytes, free of content codings.
    ///   - mediaType: The media type with its parameters; `nil` when it is unknown, and the body is looked at.
    /// - Returns: The same bytes where there are none.
    /// - Complexity: O(*n*) in the size of the body.
    package func redacted(body: Data, mediaType: String?) -> Data {
        let edits = edits(in: body, mediaType)
        return edits.isEmpty ? body : body.withUnsafeBytes { Data(edits.applied(to: $0)) }
    }

    /// Writes a body without secrets piece by piece, without a copy of it; for one that is mapped from a file.
    ///
    /// - Parameters:
    ///   - body: The bytes, free of content codings.
    ///   - mediaType: The media type with its parameters; `nil` when it is unknown, and the body is looked at.
    ///   - write: Takes the pieces, in order.
    /// - Throws: What `write` throws.
    package func redact(body: Data, mediaType: String?, into write: (Data) throws -> Void) throws {
        var offset = 0
        for edit in edits(in: body, mediaType) {
            if edit.range.lowerBound > offset { try write(body.slice(offset..<edit.range.lowerBound)) }
            try write(Data(edit.replacement))
            offset = edit.range.upperBound
        }
        if offset < body.count { try write(body.slice(offset..<body.count)) }
    }

    /// The edits of both passes: a second one finds what the first has learned, and all that the first found.
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
    /// A part by places counted from 0, which shares the bytes.
    fileprivate func slice(_ range: Range<Int>) -> Data {
        self[startIndex + range.lowerBound..<startIndex + range.upperBound]
    }
}
