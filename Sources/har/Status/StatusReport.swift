import ArchiveChecking
import ArchiveInspection
import Foundation
import HTTPArchive

/// The report of `har status`.
struct StatusReport {
    /// The archives, sorted by path.
    var archives: [ArchiveStatus] = []

    /// The paths of body files that no archive refers to.
    var strayFiles: [String] = []

    /// The path of the use log, or `nil` if no log was specified.
    var useLog: String?

    /// The folders that were searched for mentions.
    var folders: [String] = []

    /// The number of source files that were searched for mentions.
    var fileCount = 0

    /// The number of calls in the sources that compute an archive's name at run time.
    var computedNameCount = 0

    /// The errors of folders that were not searched because they cannot be read.
    var folderFailures: [HARError] = []

    /// Whether an archive or a folder could not be read.
    var hasFailures: Bool { !folderFailures.isEmpty || archives.contains { $0.failure != nil } }

    /// Writes the report as JSON.
    func write(to list: inout JSONList) throws(HARError) {
        for archive in archives { try list.append(archive.json) }
        try list.finish([
            "strayFiles": .array(strayFiles.map { .text($0) }), "useLog": .text(useLog),
            "sources": .array(folders.map { .text($0) }), "computedNames": .integer(computedNameCount),
        ])
    }

    private static let listLimit = 20

    private static let titles = [
        "archive", "entries", "size", "oldest", "newest", "secrets", "last used", "never used", "named",
    ]

    /// Returns the report as text: a table, and lists of problems.
    ///
    /// - Parameter now: The current time, for ages.
    /// - Returns: The lines.
    func lines(at now: Date) -> [String] {
        var lines = archives.isEmpty ? ["No archives."] : table(at: now)
        let failed = archives.compactMap(\.failure)
        lines += section("Unreadable or truncated: \(failed.count)", failed.map(\.description))
        let unnamed = archives.filter { $0.mention == .no && $0.use == nil }
        let names = computedNameCount.of("name is computed", "names are computed")
        lines += section(
            (computedNameCount == 0 ? "Unused" : "Not named in the sources (\(names))") + ": \(unnamed.count)",
            unnamed.map(\.name))
        lines += section("Body files that no archive refers to: \(strayFiles.count)", strayFiles)
        return lines + [""] + remarks
    }

    /// The lines below the table, with the use log and the searched folders.
    private var remarks: [String] {
        [
            useLog.map { "Use log: \($0)" }
                ?? "Use log: none; run the tests with RELAY_USE_LOG=FILE, and pass that file to --use-log",
            "Searched: \(fileCount.of("source file", "source files")) in \(folders.joined(separator: ", "))",
        ].map(\.printable)
    }

    private func table(at now: Date) -> [String] {
        let rows = [Self.titles] + archives.map { $0.cells(at: now) }
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            let cells = row.indices.map { column in
                column == 0
                    ? row[column].padded(to: widths[column]) : row[column].aligned(right: widths[column])
            }
            return cells.joined(separator: "  ")
        }
    }

    private func section(_ title: String, _ rows: [String]) -> [String] {
        guard !rows.isEmpty else { return [] }
        let more = rows.count - Self.listLimit
        return ["", title] + rows.prefix(Self.listLimit).map { "  " + $0.printable }
            + (more > 0 ? ["  … and \(more) more"] : [])
    }
}

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
        let folder = HAR.BodyFolder(ofArchive: url).limited(by: sizes.reader)
        do throws(HARError) {
            let reader = try HARReader(contentsOf: url, configuration: sizes.reader)
            let progress = ReadingProgress(of: reader.byteCount)
            defer { progress.clear() }
            while let event = try reader.nextEvent() {
                let secrets = redactor.findings(in: event, at: JSONPointer(), nil, bodiesIn: folder)
                secretCount += secrets.count { $0.rule != .unsearchedBody }
                if case .entry(let entry) = event {
                    entryCount += 1
                    if let start = entry.startedDate {
                        started = min(started?.lowerBound ?? start, start)...max(started?.upperBound ?? start, start)
                    }
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

    /// The indices of the entries that were never used, or `nil` if unknown.
    var unused: IndexSet? {
        use?.used.map { IndexSet(integersIn: 0..<entryCount).subtracting($0) }
    }

    fileprivate var json: JSONValue {
        [
            "file": .text(name), "bytes": .integer(size), "entries": .integer(entryCount),
            "oldestStart": .text(started.map { HAR.text($0.lowerBound) }),
            "newestStart": .text(started.map { HAR.text($0.upperBound) }),
            "secrets": .integer(knownSecretCount), "lastUsed": .text(use.map { HAR.text($0.last) }),
            "neverUsed": .integer(unused?.count),
            "neverUsedEntries": unused.map { .array($0.map { .integer($0) }) } ?? .null,
            "named": .text("\(mention)"), "namedBy": .text(mentioningFile),
            "error": .text(failure?.description),
        ]
    }

    fileprivate func cells(at now: Date) -> [String] {
        [
            name.printable, failure == nil || entryCount > 0 ? String(entryCount) : "-", size?.asBytes ?? "-",
            started.map { now.timeIntervalSince($0.lowerBound).asAge } ?? "-",
            started.map { now.timeIntervalSince($0.upperBound).asAge } ?? "-",
            knownSecretCount.map(String.init) ?? "-", use.map { now.timeIntervalSince($0.last).asAge } ?? "-",
            unused.map { String($0.count) } ?? "-", "\(mention)",
        ]
    }
}

/// The use of an archive by tests, according to a use log.
struct ArchiveUse {
    /// The time of the last use of any version of the archive.
    var last: Date

    /// The indices of the used entries of the current version, or `nil` if only other versions were used.
    var used: IndexSet?
}

extension TimeInterval {
    /// The age in its largest unit, such as `40 s`, `5 min`, `3 h` or `12 d`.
    fileprivate var asAge: String {
        let seconds = Int(clamping: Swift.max(0, self))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
