package import HTTPArchive

extension HARRedactor {
    /// Returns checker findings for the secrets in an event and for the bodies that cannot be searched.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - pointer: The location of the event in the document.
    ///   - byteOffset: The offset of the event in the file, in bytes, or nil if it is unknown.
    ///   - folder: The folder of the archive. Body files that cannot be read are skipped.
    /// - Returns: The findings, which never contain the values of secrets.
    package func findings(
        in event: HAREvent, at pointer: JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
    ) -> [HARFinding] {
        var findings: [Finding] = []
        var unsearched: [UnsearchedBody] = []
        _ = redacted(event, noting: &findings)
        if case .entry(let entry) = event {
            unsearched = UnsearchedBody.bodies(of: entry)
            let files = BodyReference.references(of: entry)
            let redactor = files.isEmpty ? self : knowing(secretsOf: entry)
            for file in files {
                guard let body = try? file.withoutCodings(folder.read(file.name), of: entry) else { continue }
                if let body = UnsearchedBody(file, body, of: entry) { unsearched.append(body) }
                findings += redactor.secrets(in: body, mediaType: file.mediaType).map {
                    Finding(kind: $0.kind, name: $0.name, pointer: file.pointer)
                }
            }
        }
        let warnings = unsearched.map { body in
            HARFinding(
                severity: .warning, rule: .unsearchedBody,
                pointer: JSONPointer(pointer.components + body.pointer.components), byteOffset: byteOffset,
                message: "The body cannot be searched for secrets (\(body.format)).")
        }
        return warnings
            + findings.map { finding in
                let name = finding.name.map { " " + $0.quoted } ?? ""
                return HARFinding(
                    severity: .error, rule: .secret,
                    pointer: JSONPointer(pointer.components + finding.pointer.components), byteOffset: byteOffset,
                    message: "Found a secret (\(finding.kind)\(name)); `har redact` replaces it.")
            }
    }
}

extension HAR.Entry {
    /// Returns findings for the body files that are missing or cannot be read.
    ///
    /// - Parameters:
    ///   - pointer: The location of the entry in the document.
    ///   - byteOffset: The offset of the entry in the file, in bytes, or nil if it is unknown.
    ///   - folder: The folder of the archive.
    /// - Returns: The findings. Paths that are not allowed are not included, because ``HARChecker`` reports them.
    package func missingBodyFindings(
        at pointer: @autoclosure () -> JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
    ) -> [HARFinding] {
        BodyReference.references(of: self).compactMap { file in
            guard (try? HAR.BodyFolder.components(of: file.name)) != nil else { return nil }
            do throws(HARError) {
                try folder.requireReadable(file.name)
                return nil
            } catch {
                return HARFinding(
                    severity: .warning, rule: .missingBodyFile,
                    pointer: JSONPointer(pointer().components + file.pointer.components), byteOffset: byteOffset,
                    message: "`_file` is \(file.name.quoted). \(error.message)")
            }
        }
    }
}
