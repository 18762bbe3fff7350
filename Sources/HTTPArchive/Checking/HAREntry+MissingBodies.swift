extension HAR.Entry {
    /// Returns findings for the body files that are missing or cannot be read.
    ///
    /// - Parameters:
    ///   - pointer: The location of the entry in the document.
    ///   - byteOffset: The offset of the entry in the file, in bytes, or nil if it is unknown.
    ///   - folder: The folder of the archive.
    /// - Returns: The findings. A path outside the folder is not included, because ``HARChecker`` reports it.
    package func missingBodyFindings(
        at pointer: JSONPointer, _ byteOffset: Int?, bodiesIn folder: HAR.BodyFolder
    ) -> [HARFinding] {
        BodyReference.references(of: self).filter { !Inspection.leavesFolder($0.name) }.compactMap { file in
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
