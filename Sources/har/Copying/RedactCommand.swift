import ArchiveChecking
import ArgumentParser
import Foundation
import HTTPArchive

/// `har redact`: replaces the secrets in an archive with placeholders.
struct RedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact",
        abstract: "Redact the secrets in an archive.",
        discussion: """
            Each secret is replaced with a placeholder: REDACTED- and 16 hexadecimal digits. Equal secrets get the \
            same placeholder, which does not reveal them. Placeholders are computed with a private key, which is \
            stored outside the project or taken from RELAY_REDACTION_KEY. Secrets are the values of well-known header \
            fields, cookies, query items, form fields and JSON members, tokens and keys in known formats, and the \
            values that the options specify.

            The output can be the same file as the input. Redacted body files are written to the output's folder \
            under new names, so the output is the only existing file that is replaced. If the archive is in a zip \
            file, the output contains the content of its body files. Hidden files, symbolic links and files outside \
            the archive's folder are never read. The number of secrets of each kind is printed to \
            standard error.

            With --dry-run, no file is written, and the exit status is 1 if the archive contains secrets. \
            har check --secrets prints their locations.

            Example: har redact page.har safe.har
            Example: har redact --dry-run page.har
            Example: har redact --json-key birthDate --pattern 'emp-[0-9]+' page.har page.har
            """)

    @OptionGroup var options: RedactionOptions

    @OptionGroup var sizes: SizeOptions

    @Argument(help: "The archive; - for standard input.")
    var input: Input

    @Argument(help: "The file to write; - for standard output.")
    var output: Output?

    @Flag(help: "Write no file; the exit status is 1 if the archive contains secrets.")
    var dryRun = false

    func validate() throws {
        switch output {
        case nil where !dryRun: throw ValidationError("Missing expected argument '<output>'")
        case let output? where dryRun:
            throw ValidationError("--dry-run writes no file; omit '\(output.argument.printable)'")
        default: break
        }
    }

    func run() throws {
        // No placeholder is written in a dry run, so the user's key is not needed.
        let redactor = try HARRedactor(options.configuration(key: dryRun ? .random() : .user))
        let reader = try input.reader(sizes)
        let writer = try output?.writer(isRedacted: true)
        let folder = sizes.folder(of: input)
        var files = RedactedFiles(from: folder, to: output?.folder ?? folder, redactor: redactor)
        if !input.isStream { files.reread = { try input.reader(sizes) } }
        var kinds: [String: Int] = [:]
        var entryCount = 0
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: output?.mayBeTerminal ?? false)
        let embedsBodies = output?.storesSeveralFiles ?? true
        while var event = try reader.nextEvent() {
            if case .entry(let entry) = event {
                let target = embedsBodies ? nil : folder.url
                if let copy = try entry.embeddingBodies(from: folder, unlessIn: target) { event = .entry(copy) }
            }
            var findings: [HARRedactor.Finding] = []
            var redacted = redactor.redacted(event, noting: &findings)
            if case .entry(let original) = event, case .entry(let entry) = redacted {
                redacted = .entry(try files.copy(original, entry, at: entryCount))
                entryCount += 1
            }
            if let failure = redactor.failure { throw failure }
            try writer?.write(redacted)
            for finding in findings { kinds["\(finding.kind)", default: 0] += 1 }
            progress.update(reader.bytesRead)
        }
        try writer?.finish()
        progress.clear()
        kinds.merge(files.secretCounts, uniquingKeysWith: +)
        report(kinds, files)
        for (format, bodies) in files.unsearched.sorted(by: { $0.key < $1.key }) {
            let count = bodies.count.of("body", "bodies")
            StandardError.line(
                "har: warning: \(format): \(count) (first in entry \(bodies.entry)) cannot be searched for secrets; "
                    .printable + "review the content before you publish the archive")
        }
        if dryRun, !kinds.isEmpty { throw ExitCode.failure }
    }

    private func report(_ kinds: [String: Int], _ files: RedactedFiles) {
        let list = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key): \($0.value)" }
        let count = kinds.values.reduce(0, +).of("secret", "secrets")
        StandardError.line(list.isEmpty ? count : "\(count) (\(list.joined(separator: ", ")))")
        for (name, reason) in files.unread.sorted(by: { $0.key < $1.key }) {
            StandardError.line(
                "har: warning: \(name): body file not redacted: \(reason)".printable)
        }
        for name in files.left.sorted() {
            StandardError.line(
                "har: warning: \(name): the archive no longer uses this body file, which still contains secrets; "
                    .printable + "delete it")
        }
    }
}

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

    /// A closure that returns another reader of the input archive, or nil if it was called or is not possible.
    var reread: (() throws -> HARReader)?

    /// The redactors with the secrets of all entries that refer to a file, by file name.
    private var known: [String: HARRedactor] = [:]

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

    /// Collects the secrets of all entries that refer to the same file, when the first file is redacted.
    private mutating func learn() {
        // A damaged archive is reported when it is redacted.
        guard let reader = try? reread?() else { return }
        reread = nil
        while let event = try? reader.nextEvent() {
            guard case .entry(let entry) = event else { continue }
            let files = BodyReference.references(of: entry)
            if files.isEmpty { continue }
            let redactor = redactor.knowing(secretsOf: entry)
            for file in files { known[file.name, default: redactor].formUnion(redactor) }
        }
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
        learn()
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
        var all = last?.redactor ?? known[file.name] ?? redactor
        all.formUnion(redactor)
        if let last, all.knownCount == last.redactor.knownCount { return last }
        let recorded: Data
        do throws(HARError) {
            recorded = try source.read(file.name)
        } catch {
            unread[renamed.name] = error.message
            return nil
        }
        let body = file.withoutCodings(recorded, of: entry)
        if last == nil, let body = UnsearchedBody(file, body, of: entry) { note(body, at: index) }
        var findings: [HARRedactor.Finding] = []
        let redacted = all.redacted(body: body, mediaType: file.mediaType, noting: &findings)
        let content = redacted == body ? recorded : redacted
        let copy = Copy(
            name: try write(content, inPlaceOf: recorded, file, renamed), original: redacted == body ? nil : recorded,
            change: BodyLengthChange(from: recorded.count, to: content.count), redactor: all,
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
        // Commands treat a name that begins with a hyphen as an option.
        guard url.path != target.archive?.path, !"/\(name)".contains("/-") else { return false }
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
