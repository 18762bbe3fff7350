import Foundation
import HTTPArchive

/// Entries that go into an archive, behind those that are there, or in place of some of them.
struct ArchiveUpdate {
    private let archive: URL
    private let added: HARArchive
    private let order: [Int]
    private let page: HAR.Page?

    /// Prepares an update.
    ///
    /// - Parameters:
    ///   - archive: The archive, which need not be there.
    ///   - added: What has the entries.
    ///   - order: Their places in it, in the order that they are to have.
    ///   - page: The page of the entries; `nil` for none.
    init(of archive: URL, adding added: HARArchive, inOrder order: [Int], page: HAR.Page?) {
        self.archive = archive
        self.added = added
        self.order = order
        self.page = page
    }

    /// Writes the entries.
    ///
    /// - Parameters:
    ///   - replaced: Which entries have to go.
    ///   - count: The number of entries at the beginning that may have to go; `nil` for all.
    /// - Returns: How many entries stay, and how many are gone.
    /// - Throws: `unwritableFile`; `fileInUse` when somebody else writes to the archive; and what reading it throws.
    func write(replacing replaced: ReplacedEntries, ofFirst count: Int?) throws(HARError) -> (kept: Int, gone: Int) {
        // Who has locked the file has it alone, until the writer is gone.
        var configuration = HARWriter.Configuration()
        configuration.flushing = .atEnd
        let lock = try HARWriter(appendingTo: archive, configuration: configuration)
        let old = try HARArchive(contentsOf: archive)
        let kept = try entries(of: old, replacing: replaced, ofFirst: count ?? old.count)
        if kept.count == old.count {
            try append(to: lock, besides: old.log.pages ?? [])
        } else {
            try writeAnew(old, keeping: kept)
        }
        withExtendedLifetime(lock) {}
        return (kept.count, old.count - kept.count)
    }

    private func entries(
        of old: HARArchive, replacing replaced: ReplacedEntries, ofFirst count: Int
    ) throws(HARError) -> [Int] {
        guard !replaced.isEmpty else { return Array(0..<old.count) }
        var kept: [Int] = []
        for index in 0..<old.count {
            if index < count, try replaced.contains(index, of: old) { continue }
            kept.append(index)
        }
        return kept
    }

    private func append(to writer: HARWriter, besides pages: [HAR.Page]) throws(HARError) {
        if let page, !pages.contains(where: { $0.id == page.id }) { try writer.append(page) }
        for index in order { try writer.append(entryAt: index, of: added) }
        try writer.finish()
    }

    private func writeAnew(_ old: HARArchive, keeping kept: [Int]) throws(HARError) {
        let writer = try HARWriter(to: archive)
        var log = old.log
        let used = Set(kept.map { old.summary(at: $0).pageref })
        let others = (old.log.pages ?? []).filter { used.contains($0.id) && $0.id != page?.id }
        let pages = others + [page].compactMap { $0 }
        if old.log.pages != nil || !pages.isEmpty { log.pages = pages }
        try writer.write(log) { () throws(HARError) in
            for index in kept { try writer.append(entryAt: index, of: old) }
            for index in order { try writer.append(entryAt: index, of: added) }
        }
        try writer.finish()
    }
}
