import ArchiveChecking
import Foundation
import HTTPArchive

/// The status of one archive.
struct ArchiveStatus {
    /// The path of the archive, relative to the current folder if possible.
    let name: String

    /// The size of the file in bytes, or `nil` if unknown.
    private(set) var size: Int?

    /// The number of entries that could be read.
    private(set) var entryCount = 0

    /// The start times of the oldest and the newest entry, or `nil` if no entry has a start time.
    private(set) var started: ClosedRange<Date>?

    /// The number of secrets that were found in the archive and its body files.
    private var secretCount = 0

    /// The number of secrets, or nil if it is unknown because none was found before an error.
    var knownSecretCount: Int? { failure != nil && secretCount == 0 ? nil : secretCount }

    /// The error that stopped reading, or `nil` if the archive was read completely.
    private(set) var failure: HARError?

    /// The use of the archive by tests, or `nil` if the use log does not mention it.
    var use: ArchiveUse?

    /// The certainty that a source file mentions the archive.
    var mention = Mention.no

    /// The path of the source file that mentions the archive, or `nil` if no file does.
    var mentioningFile: String?

    /// Reads an archive in one pass.
    ///
    /// - Parameters:
    ///   - name: The path of the archive.
    ///   - sizes: The limits.
    ///   - redactor: The redactor that finds secrets.
    ///   - bodyFile: A function to call with the path of each body file of the archive.
    init(of name: String, _ sizes: SizeOptions, redactor: HARRedactor, bodyFile: (String) -> Void) {
        self.name = name
        let url = URL(fileURLWithPath: name)
        size = url.fileSize
        var folder = HAR.BodyFolder(ofArchive: url)
        if let limit = sizes.sizeLimit { folder.maximumFileSize = limit.bytes }
        do throws(HARError) {
            let reader = try HARReader(contentsOf: url, configuration: sizes.reader)
            let progress = ReadingProgress(of: reader.byteCount)
            defer { progress.clear() }
            while let event = try reader.nextEvent() {
                let secrets = redactor.findings(in: event, at: JSONPointer(), nil, bodiesIn: folder)
                secretCount += secrets.count { $0.rule != .unsearchedBody }
                if case .entry(let entry) = event {
                    add(entry)
                    for file in BodyReference.references(of: entry) {
                        bodyFile(folder.url.appendingPathComponent(file.name).standardizedFileURL.path)
                    }
                }
                progress.update(reader.bytesRead)
            }
        } catch {
            failure = error
        }
    }

    private mutating func add(_ entry: HAR.Entry) {
        entryCount += 1
        guard let start = entry.startedDate else { return }
        started = started.map { min($0.lowerBound, start)...max($0.upperBound, start) } ?? start...start
    }
}

/// The use of an archive by tests, according to a use log.
struct ArchiveUse {
    /// The time of the last use of any version of the archive.
    var last: Date

    /// The indices of the used entries of the current version, or `nil` if only other versions were used.
    var used: IndexSet?
}
