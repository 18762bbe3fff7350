import Foundation
import HTTPArchive

/// The files of bodies beside an archive that is redacted.
struct RedactedFiles {
    /// Where the archive is that is read.
    let source: URL

    /// Where the archive is that is written.
    let target: URL

    private let redactor: HARRedactor
    private var names: [String: String] = [:]

    /// The files that could not be read, and those that keep their secrets beside the new ones.
    private(set) var missing: Set<String> = []
    private(set) var left: Set<String> = []

    init(from source: URL, to target: URL, redactor: HARRedactor) {
        self.source = source.resolvingSymlinksInPath().standardizedFileURL
        self.target = target.resolvingSymlinksInPath().standardizedFileURL
        self.redactor = redactor
    }

    /// Writes the files that an entry refers to, without secrets.
    ///
    /// - Returns: The entry with the names that the files have then.
    /// - Throws: `unwritableFile`.
    mutating func copy(_ entry: HAR.Entry) throws(HARError) -> HAR.Entry {
        var entry = entry
        for file in BodyReference.references(of: entry) {
            guard let name = try copy(file) else { continue }
            entry = entry.renaming(file, to: name)
        }
        return entry
    }

    private mutating func copy(_ file: BodyReference) throws(HARError) -> String? {
        if let name = names[file.name] { return name }
        guard let body = try? file.read(in: source) else {
            missing.insert(file.name)
            return nil
        }
        let redacted = redactor.redacted(body: body, mediaType: file.mediaType)
        let name = file.name(for: redacted, inPlaceOf: body)
        names[file.name] = name
        if source == target, redacted == body { return name }
        if source == target, name != file.name { left.insert(file.name) }
        let url = target.appendingPathComponent(name)
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try redacted.write(to: url, options: .atomic)
        } catch {
            throw HARError(
                .unwritableFile, "The file of a body cannot be written. \(error.localizedDescription)",
                at: .init(file: url.path), underlying: error)
        }
        return name
    }
}
