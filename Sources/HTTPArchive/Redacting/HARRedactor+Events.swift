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
        case .stray(let value):
            let fields = redacted(JSONObject(members: [.init(name: "", value: value)]), as: .other, noting: &found)
            return .stray(fields.members.first?.value ?? value)
        case .beginLog, .endLog, .beginEntries, .endEntries: return event
        }
    }

    /// Returns the secrets of a part of an archive, and of the files of bodies in a folder; see the function for a
    /// ``HAR/BodyFolder``.
    package func findings(
        in event: HAREvent, at place: JSONPointer, _ byteOffset: Int?, besideArchiveIn folder: URL
    ) -> [HARFinding] {
        findings(in: event, at: place, byteOffset, bodiesIn: HAR.BodyFolder(folder))
    }

    /// The secrets of a part of an archive, as findings of a check.
    ///
    /// - Parameters:
    ///   - event: The part.
    ///   - place: Where the part is in the document.
    ///   - byteOffset: Where it is in the file.
    ///   - folder: The folder of the archive; files of bodies that cannot be read are skipped.
    /// - Returns: The findings, which have kinds, names and places.
    package func findings(
        in event: HAREvent, at place: JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
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
                pointer: JSONPointer(place.components + finding.pointer.components), byteOffset: byteOffset,
                message: "A secret (\(finding.kind)\(name)); `har redact` takes it out.")
        }
    }
}
