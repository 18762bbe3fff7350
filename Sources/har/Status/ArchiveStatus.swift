import Foundation
import HTTPArchive

/// What is known of an archive.
struct ArchiveStatus {
    /// What the archive is called: its path, from the current folder where it is below that.
    let name: String

    /// The size of the file in bytes; `nil` when it is unknown.
    private(set) var size: Int?

    /// The number of entries, up to where the archive could be read.
    private(set) var entryCount = 0

    /// When the oldest and the newest entry began; `nil` when no entry says it.
    private(set) var started: ClosedRange<Date>?

    /// The number of secrets in the archive and in the bodies beside it.
    private(set) var secretCount = 0

    /// Why the archive cannot be read, or not to its end.
    private(set) var failure: HARError?

    /// What is known of its use; `nil` when no log tells of it.
    var use: ArchiveUse?

    /// Whether it is named, and in which file; `nil` when that was not looked for.
    var mention: (certainty: SourceMention.Certainty, file: String?)?

    /// Reads an archive, one entry after the other.
    ///
    /// - Parameters:
    ///   - name: Its path, which is what it is called.
    ///   - redactor: Finds secrets.
    ///   - bodyFile: Is called with the path of each file that has a body of the archive.
    init(of name: String, redactor: HARRedactor, bodyFile: (String) -> Void) {
        self.name = name
        let url = URL(fileURLWithPath: name)
        size = url.fileSize
        let folder = HAR.BodyFolder(ofArchive: url)
        do throws(HARError) {
            let reader = try HARReader(contentsOf: url)
            let progress = ReadingProgress(of: reader.byteCount)
            defer { progress.clear() }
            while let event = try reader.nextEvent() {
                let secrets = redactor.findings(in: event, at: JSONPointer(), nil, bodiesIn: folder)
                secretCount += secrets.count
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

/// What a log tells of the use of an archive.
struct ArchiveUse {
    /// When it was used last, in whatever version.
    var last: Date

    /// The entries that were used of the archive as it is now; `nil` when only other versions of it were used.
    var used: IndexSet?
}
