import Foundation
import HTTPArchive

/// Redacts the body files of an archive.
///
/// The names of these files come from the archive, which is not trusted. An existing file is therefore never replaced:
/// redacted content gets a new name.
struct RedactedFiles {
    /// A file, and the media type that determines which parts of its content are secret.
    private struct Key: Hashable {
        let name: String
        let mediaType: String?
    }

    /// A redacted copy of a file.
    private struct Copy {
        /// The name in the output archive.
        let name: String

        /// The original content, or nil if it had no secrets.
        let original: Data?

        /// The change in length.
        let change: BodyLengthChange

        /// The redactor, with the secrets of all earlier entries that refer to the file.
        let redactor: HARRedactor

        /// The number of secrets of each kind.
        let kinds: [String: Int]
    }

    /// The folder of the input archive.
    private let source: HAR.BodyFolder

    /// The folder of the output archive.
    private let target: HAR.BodyFolder

    private let isInPlace: Bool
    private let redactor: HARRedactor
    private var copies: [Key: Copy] = [:]

    /// The errors for files that could not be read, by file name.
    private(set) var unread: [String: String] = [:]

    /// The number of bodies that cannot be searched for secrets, and the index of the first affected entry, by format.
    private(set) var unsearched: [String: (count: Int, entry: Int)] = [:]

    /// The names of files that contain secrets but that the archive no longer refers to.
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
    /// - Parameters:
    ///   - original: The original entry.
    ///   - redacted: The redacted entry.
    ///   - index: The index of the entry.
    /// - Returns: The redacted entry with the new names and lengths. Files that cannot be read keep their names.
    /// - Throws: `unwritableFile`.
    mutating func copy(
        _ original: HAR.Entry, _ redacted: HAR.Entry, at index: Int
    ) throws(HARError) -> HAR.Entry {
        for body in UnsearchedBody.bodies(of: original) { note(body, at: index) }
        let files = BodyReference.references(of: original)
        if files.isEmpty { return redacted }
        let redactor = redactor.knowing(secretsOf: original)
        var entry = redacted
        for file in files {
            let renamed = file.redacted(in: redacted)
            guard let copy = try copy(file, renamed, of: original, at: index, redactor) else { continue }
            if let body = copy.original { entry = redactor.withoutDigests(of: body, in: file, of: entry) }
            entry = entry.renaming(renamed, to: copy.name).updatingLengths(of: file, by: copy.change)
        }
        return entry
    }

    /// The number of secrets of each kind in all files.
    var secretCounts: [String: Int] { copies.values.reduce(into: [:]) { $0.merge($1.kinds, uniquingKeysWith: +) } }

    private mutating func note(_ body: UnsearchedBody, at index: Int) {
        unsearched[body.format, default: (0, index)].count += 1
    }

    /// Writes a redacted copy of a file, unless the last copy was redacted with all secrets of the entry.
    private mutating func copy(
        _ file: BodyReference, _ renamed: BodyReference, of entry: HAR.Entry, at index: Int, _ redactor: HARRedactor
    ) throws(HARError) -> Copy? {
        let key = Key(name: file.name, mediaType: file.mediaType)
        let last = copies[key]
        var all = last?.redactor ?? redactor
        all.formUnion(redactor)
        if let last, all.knownCount == last.redactor.knownCount { return last }
        let body: Data
        do throws(HARError) {
            body = try source.read(file.name)
        } catch {
            unread[renamed.name] = error.message
            return nil
        }
        if last == nil, let body = UnsearchedBody(file, body, of: entry) { note(body, at: index) }
        var findings: [HARRedactor.Finding] = []
        let content = all.redacted(body: body, mediaType: file.mediaType, noting: &findings)
        let copy = Copy(
            name: try write(content, inPlaceOf: body, file, renamed), original: content == body ? nil : body,
            change: BodyLengthChange(from: body.count, to: content.count), redactor: all,
            kinds: Dictionary(grouping: findings) { "\($0.kind)" }.mapValues(\.count))
        copies[key] = copy
        return copy
    }

    /// Writes a redacted copy of a file, unless the file in the output folder is unchanged, and returns its name.
    private mutating func write(
        _ redacted: Data, inPlaceOf body: Data, _ file: BodyReference, _ renamed: BodyReference
    ) throws(HARError) -> String {
        if isInPlace, redacted == body, renamed.name == file.name { return file.name }
        if isInPlace { left.insert(renamed.name) }
        for name in [renamed.name(for: redacted, inPlaceOf: body), renamed.name(for: redacted)]
        where try write(redacted, to: name) { return name }
        throw HARError(
            .unwritableFile,
            "a file with the name of the redacted body file already exists; choose another folder for the output",
            at: .init(file: target.url.appendingPathComponent(renamed.name(for: redacted)).path))
    }

    /// Writes a file, unless a file with that name exists.
    ///
    /// - Returns: Whether the file now exists with this content.
    private func write(_ body: Data, to name: String) throws(HARError) -> Bool {
        let url = target.url.appendingPathComponent(name)
        guard url.path != target.archive?.path else { return false }
        try createFolders(of: name)
        // A symbolic link counts as a file, even if it is broken.
        if (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil {
            return (try? target.read(name)) == body
        }
        var settings = OutputFile.Settings()
        settings.replacesFile = false
        // The file must be on disk before the redacted archive, which refers to it, replaces the original archive.
        settings.isSynchronized = true
        let output = try OutputFile(url: url, settings: settings)
        try output.write([UInt8](body))
        try output.finish()
        return true
    }

    /// Creates the missing folders in the path of a file.
    ///
    /// A symbolic link in the path is an error.
    private func createFolders(of name: String) throws(HARError) {
        var folder = target.url
        for component in try HAR.BodyFolder.components(of: name).dropLast() {
            folder.appendPathComponent(component)
            let type = try? FileManager.default.attributesOfItem(atPath: folder.path)[.type] as? FileAttributeType
            if type == .typeDirectory { continue }
            guard type == nil, FileSystemCalls.current.createFolder(folder.path, 0o777) == 0 else {
                let reason = type == nil ? String(cString: strerror(errno)) : "not a folder"
                throw HARError(
                    .unwritableFile, "cannot create the folder for body files: \(reason)",
                    at: .init(file: folder.path))
            }
        }
    }
}
