import Foundation
import HTTPArchive

/// The files of bodies beside an archive that is redacted.
///
/// The archive names these files, and may come from anybody. No file that exists is ever replaced: redacted content gets a
/// name of its own, and so does what would take the name of another file.
struct RedactedFiles {
    /// A file together with the media type that decides what in it is secret.
    private struct Key: Hashable {
        let name: String
        let mediaType: String?
    }

    /// A file without secrets.
    private struct Copy {
        let name: String
        let change: BodyLengthChange
    }

    /// The folder of the archive that is read.
    private let source: HAR.BodyFolder

    /// The folder of the archive that is written.
    private let target: HAR.BodyFolder

    private let isInPlace: Bool
    private let redactor: HARRedactor
    private var copies: [Key: Copy?] = [:]

    /// The reasons why files could not be read, by the names of the files.
    private(set) var unread: [String: String] = [:]

    /// The files that keep their secrets beside the new ones.
    private(set) var left: Set<String> = []

    /// Creates the files of an archive.
    ///
    /// - Parameters:
    ///   - source: The folder of the archive that is read.
    ///   - target: The folder of the archive that is written.
    ///   - redactor: The redactor.
    init(from source: HAR.BodyFolder, to target: HAR.BodyFolder, redactor: HARRedactor) {
        self.source = source
        self.target = target
        self.redactor = redactor
        isInPlace = FileIdentity(of: source.url.path) == FileIdentity(of: target.url.path)
    }

    /// Writes the files that an entry names, without secrets.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The entry with the new names and lengths of the files. Files that cannot be read keep their names.
    /// - Throws: `unwritableFile`.
    mutating func copy(_ entry: HAR.Entry) throws(HARError) -> HAR.Entry {
        var entry = entry
        for file in BodyReference.references(of: entry) {
            let key = Key(name: file.name, mediaType: file.mediaType)
            if copies[key] == nil { copies[key] = .some(try copy(file)) }
            guard case .some(.some(let copy)) = copies[key] else { continue }
            entry = entry.renaming(file, to: copy.name).updatingLengths(of: file, by: copy.change)
        }
        return entry
    }

    private mutating func copy(_ file: BodyReference) throws(HARError) -> Copy? {
        let body: Data
        do throws(HARError) {
            body = try source.read(file.name)
        } catch {
            unread[file.name] = error.message
            return nil
        }
        let redacted = redactor.redacted(body: body, mediaType: file.mediaType)
        let change = BodyLengthChange(from: body.count, to: redacted.count)
        if isInPlace, redacted == body { return Copy(name: file.name, change: change) }
        if isInPlace { left.insert(file.name) }
        for name in [file.name(for: redacted, inPlaceOf: body), file.name(for: redacted)] {
            if try write(redacted, to: name) { return Copy(name: name, change: change) }
        }
        throw HARError(
            .unwritableFile,
            "Another file has the name that the redacted file of a body would get; choose another folder for the output.",
            at: .init(file: target.url.appendingPathComponent(file.name(for: redacted)).path))
    }

    /// Writes a file unless there is one with this name.
    ///
    /// - Returns: Whether there is a file with this name and this content now.
    private func write(_ body: Data, to name: String) throws(HARError) -> Bool {
        let url = target.url.appendingPathComponent(name)
        guard url.path != target.archive?.path else { return false }
        try createFolders(of: name)
        // Links count as files here, wherever they lead.
        if (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil {
            return (try? target.read(name)) == body
        }
        var settings = OutputFile.Settings()
        settings.replacesFile = false
        let output = try OutputFile(url: url, settings: settings)
        try output.write([UInt8](body))
        try output.finish()
        return true
    }

    /// Creates the folders that a name has before its last component, none of which may be a link.
    private func createFolders(of name: String) throws(HARError) {
        var folder = target.url
        for component in try HAR.BodyFolder.components(of: name).dropLast() {
            folder.appendPathComponent(component)
            let type = try? FileManager.default.attributesOfItem(atPath: folder.path)[.type] as? FileAttributeType
            if type == .typeDirectory { continue }
            guard type == nil, mkdir(folder.path, 0o777) == 0 else {
                let reason = type == nil ? String(cString: strerror(errno)) : "it is not a folder"
                throw HARError(
                    .unwritableFile, "The folder for the files of bodies cannot be created: \(reason).",
                    at: .init(file: folder.path))
            }
        }
    }
}
