import Foundation
import HTTPArchive

/// An update of an archive that appends entries and removes entries that they replace.
struct ArchiveUpdate {
    /// The archive, which need not exist.
    let archive: URL

    /// The archive that contains the new entries.
    let added: HARArchive

    /// The indexes of the new entries, in writing order.
    let order: [Int]

    /// The page of the new entries, or nil for no page.
    let page: HAR.Page?

    /// The interceptor's settings for the recording.
    let origin: RecordingPlan

    private let calls = FileSystemCalls.current

    /// Writes the new entries and flushes the archive to disk.
    ///
    /// If the archive is empty or any entries are removed, the complete file is rewritten and replaced.
    ///
    /// - Parameters:
    ///   - replaced: The entries to remove.
    ///   - count: The number of entries, at the start of the archive, that may be removed, or nil for all entries.
    /// - Returns: The number of entries kept and the number of entries removed.
    /// - Throws: `unwritableFile`; `fileInUse` if another writer has locked the archive; or any error from reading the
    ///   archive. If writing fails, a newly created archive is deleted.
    func write(replacing replaced: ReplacedEntries, ofFirst count: Int?) throws(HARError) -> (kept: Int, gone: Int) {
        // The writer holds an exclusive lock on the archive until it is deallocated.
        let isThere = FileManager.default.fileExists(atPath: archive.path)
        let lock = try HARWriter(appendingTo: archive, configuration: configuration)
        defer { withExtendedLifetime(lock) {} }
        let old = try HARArchive(contentsOf: archive, configuration: origin.reader)
        let kept = try entries(of: old, replacing: replaced, ofFirst: count ?? old.count)
        do {
            if kept.count == old.count, old.count > 0 {
                try append(to: lock, besides: old.log.pages ?? [])
            } else {
                try Self.rewrite(archive, as: old, keeping: kept, page: page, configuration) {
                    writer throws(HARError) in
                    for index in order { try writer.append(entryAt: index, of: added) }
                }
            }
        } catch {
            if !isThere, old.count == 0 { _ = calls.remove(archive.path) }
            throw error
        }
        return (kept.count, old.count - kept.count)
    }

    private var configuration: HARWriter.Configuration {
        var configuration = HARWriter.Configuration()
        configuration.reader = origin.reader
        configuration.flushing = .atEndOnDisk
        configuration.isPrivate = origin.settings.redaction == nil
        return configuration
    }

    private func entries(
        of old: HARArchive, replacing replaced: ReplacedEntries, ofFirst count: Int
    ) throws(HARError) -> [Int] {
        guard !replaced.isEmpty else { return Array(0..<old.count) }
        // In the page of a test, the ID and the title are both the name of the test. Browsers write a different title.
        let testPages = (old.log.pages ?? []).filter { $0.id == $0.title }.map(\.id)
        let scope = ReplacementScope(
            page: page?.id, sharesPage: origin.sharesPage, testPages: Set(testPages),
            requests: RecordedRequests(of: added, matching: origin.matching, redaction: origin.settings.redaction))
        var kept: [Int] = []
        for index in 0..<old.count {
            if index < count, try replaced.contains(index, of: old, in: scope) { continue }
            kept.append(index)
        }
        return kept
    }

    private func append(to writer: HARWriter, besides pages: [HAR.Page]) throws(HARError) {
        if let page, !pages.contains(where: { $0.id == page.id }) { try writer.append(page) }
        for index in order { try writer.append(entryAt: index, of: added) }
        try writer.finish()
    }

    /// Rewrites an archive with some of its entries, followed by new entries.
    ///
    /// - Parameters:
    ///   - archive: The file.
    ///   - old: The contents of the file.
    ///   - kept: The indexes of the entries to keep.
    ///   - page: The page of the new entries, or nil for no page.
    ///   - configuration: The settings of the writer.
    ///   - append: A closure that appends the new entries.
    /// - Throws: `unwritableFile`, or any error from reading the old entries or from `append`.
    static func rewrite(
        _ archive: URL, as old: HARArchive, keeping kept: [Int], page: HAR.Page?,
        _ configuration: HARWriter.Configuration,
        appending append: (HARWriter) throws(HARError) -> Void
    ) throws(HARError) {
        let writer = try HARWriter(to: archive, configuration: configuration)
        var log = old.log
        let used = Set(kept.map { old.summary(at: $0).pageref })
        let others = (old.log.pages ?? []).filter { used.contains($0.id) && $0.id != page?.id }
        let pages = others + [page].compactMap { $0 }
        if old.log.pages != nil || !pages.isEmpty { log.pages = pages }
        try writer.write(log) { () throws(HARError) in
            for index in kept { try writer.append(entryAt: index, of: old) }
            try append(writer)
        }
        try writer.finish()
    }
}
