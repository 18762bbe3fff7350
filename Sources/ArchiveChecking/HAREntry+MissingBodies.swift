package import HTTPArchive

extension HAR.Entry {
    /// Returns findings for the body files that are missing or cannot be read.
    ///
    /// - Parameters:
    ///   - pointer: The location of the entry in the document.
    ///   - byteOffset: The offset of the entry in the file, in bytes, or nil if it is unknown.
    ///   - folder: The folder of the archive.
    /// - Returns: The findings. Paths that are not allowed are not included, because ``HARChecker`` reports them.
    package func missingBodyFindings(
        at pointer: JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
    ) -> [HARFinding] {
        BodyReference.references(of: self).compactMap { file in
            guard (try? HAR.BodyFolder.components(of: file.name)) != nil else { return nil }
            do throws(HARError) {
                try folder.requireReadable(file.name)
                return nil
            } catch {
                return HARFinding(
                    severity: .warning, rule: .missingBodyFile,
                    pointer: JSONPointer(pointer.components + file.pointer.components), byteOffset: byteOffset,
                    message: "`_file` is \(file.name.quoted). \(error.message)")
            }
        }
    }
}
