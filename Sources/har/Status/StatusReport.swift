import Foundation
import HTTPArchive

/// What is known of the archives of some folders.
struct StatusReport {
    /// The archives in order.
    var archives: [ArchiveStatus] = []

    /// The paths of files that look like bodies and that no archive names.
    var strayFiles: [String] = []

    /// What the log of uses is called; `nil` where there is none.
    var useLog: String?

    /// The folders whose sources were searched, and how many files that were.
    var sources: (folders: [String], fileCount: Int)?

    /// Whether something could not be read.
    var hasFailures: Bool { archives.contains { $0.failure != nil } }
}

extension StatusReport {
    /// The report for machines.
    func write(to list: inout JSONList) throws(HARError) {
        for archive in archives { try list.append(archive.json) }
        try list.finish([
            "strayFiles": .array(strayFiles.map { .text($0) }), "useLog": .text(useLog),
            "sources": .array((sources?.folders ?? []).map { .text($0) }),
        ])
    }
}

extension ArchiveStatus {
    /// The entries that were never used; `nil` when that is not known.
    var unused: IndexSet? {
        use?.used.map { IndexSet(integersIn: 0..<entryCount).subtracting($0) }
    }

    fileprivate var json: JSONValue {
        [
            "file": .text(name), "bytes": .integer(size), "entries": .integer(entryCount),
            "oldestStart": .text(started.map { HAR.text($0.lowerBound) }),
            "newestStart": .text(started.map { HAR.text($0.upperBound) }),
            "secrets": .integer(secretCount), "lastUsed": .text(use.map { HAR.text($0.last) }),
            "neverUsed": .integer(unused?.count),
            "neverUsedEntries": unused.map { .array($0.map { .integer($0) }) } ?? .null,
            "named": .text(mention?.certainty.rawValue), "namedBy": .text(mention?.file),
            "error": .text(failure?.description),
        ]
    }
}

extension StatusReport {
    private static let listLimit = 20

    private static let titles = [
        "archive", "entries", "size", "oldest", "newest", "secrets", "last used", "never used", "named",
    ]

    /// The report for people, as lines: a table, and what is worth a look.
    ///
    /// - Parameter now: The time from which ages count.
    /// - Returns: The lines.
    func lines(at now: Date) -> [String] {
        var lines = archives.isEmpty ? ["No archives."] : table(at: now)
        let failed = archives.compactMap(\.failure)
        lines += section("Not readable, or not to the end: \(failed.count)", failed.map(\.description))
        let unnamed = archives.filter { $0.mention?.certainty == .no && $0.use == nil }
        lines += section("Named by no source and used by no test: \(unnamed.count)", unnamed.map(\.name))
        lines += section("Files of bodies that no archive names: \(strayFiles.count)", strayFiles)
        return lines + [""] + remarks
    }

    /// What the table rests on.
    private var remarks: [String] {
        var lines = [
            useLog.map { "Uses are those that \($0) has." }
                ?? "There is no log of uses: have the tests run with RELAY_USE_LOG=FILE, and name it with --use-log."
        ]
        if let sources {
            let folders = sources.folders.joined(separator: ", ")
            lines.append("Names were looked for in \(sources.fileCount.of("file", "files")) below \(folders).")
            lines.append("What code calls an archive only as it runs is not found there.")
        }
        return lines.map(\.printable)
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

extension ArchiveStatus {
    fileprivate func cells(at now: Date) -> [String] {
        [
            name.printable, failure == nil || entryCount > 0 ? String(entryCount) : "-", size?.asBytes ?? "-",
            started.map { now.timeIntervalSince($0.lowerBound).asAge } ?? "-",
            started.map { now.timeIntervalSince($0.upperBound).asAge } ?? "-",
            String(secretCount), use.map { now.timeIntervalSince($0.last).asAge } ?? "-",
            unused.map { String($0.count) } ?? "-", mention?.certainty.rawValue ?? "-",
        ]
    }
}

extension TimeInterval {
    /// An age for people in its largest unit, such as `40 s`, `5 min`, `3 h` or `12 d`.
    fileprivate var asAge: String {
        let seconds = Int(clamping: Int64(Swift.max(0, Swift.min(self, 1e15))))
        switch seconds {
        case ..<60: return "\(seconds) s"
        case ..<3600: return "\(seconds / 60) min"
        case ..<86_400: return "\(seconds / 3600) h"
        default: return "\(seconds / 86_400) d"
        }
    }
}
