import Foundation
import HTTPArchive

/// Redacts the body files of an archive.
///
/// The archive, which is not trusted, gives the names of these files. An existing file is therefore never replaced: redacted
/// content gets a new name.
struct RedactedFiles {
    /// A file, and the media type that determines which of its content is secret.
    private struct Key: Hashable {
        let name: String
        let mediaType: String?
    }

    /// A redacted file.
    private struct Copy {
        let name: String
        let change: BodyLengthChange
    }

    /// The folder of the input archive.
    private let source: HAR.BodyFolder

    /// The folder of the output archive.
    private let target: HAR.BodyFolder

    private let isInPlace: Bool
    private let redactor: HARRedactor
    private var copies: [Key: Copy?] = [:]

    /// The errors of files that could not be read, by name.
    private(set) var unread: [String: String] = [:]

    /// The names of files that hold secrets and have been replaced by new ones.
    private(set) var left: Set<String> = []

    /// Prepares the redaction of an archive's body files.
    ///
    /// - Parameters:
    ///   - source: The folder of the input archive.
    ///   - target: The folder of the output archive.
    ///   - redactor: The redactor.
    init(from source: HAR.BodyFolder, to target: HAR.BodyFolder, redactor: HARRedactor) {
        self.source = source
        self.target = target
        self.redactor = redactor
        isInPlace = FileIdentity(of: source.url.path) == FileIdentity(of: target.url.path)
    }

    /// Writes redacted copies of the files that an entry refers to.
    ///
    /// - Parameter entry: The entry.
    /// - Returns: The entry with the new names and lengths. Files that cannot be read keep their names.
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
            "a file with the name of a redacted body file exists; choose another folder for the output",
            at: .init(file: target.url.appendingPathComponent(file.name(for: redacted)).path))
    }

    /// Writes a file if no file has the name.
    ///
    /// - Returns: Whether the file now exists with this content.
    private func write(_ body: Data, to name: String) throws(HARError) -> Bool {
        let url = target.url.appendingPathComponent(name)
        guard url.path != target.archive?.path else { return false }
        try createFolders(of: name)
        // A link counts as a file, even if it is broken.
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

    /// Creates the folders of a name, except those that exist.
    ///
    /// A link is an error.
    private func createFolders(of name: String) throws(HARError) {
        var folder = target.url
        for component in try HAR.BodyFolder.components(of: name).dropLast() {
            folder.appendPathComponent(component)
            let type = try? FileManager.default.attributesOfItem(atPath: folder.path)[.type] as? FileAttributeType
            if type == .typeDirectory { continue }
            guard type == nil, mkdir(folder.path, 0o777) == 0 else {
                let reason = type == nil ? String(cString: strerror(errno)) : "not a folder"
                throw HARError(
                    .unwritableFile, "cannot create the folder for body files: \(reason)",
                    at: .init(file: folder.path))
            }
        }
    }
}
