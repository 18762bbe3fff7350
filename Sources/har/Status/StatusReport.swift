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
