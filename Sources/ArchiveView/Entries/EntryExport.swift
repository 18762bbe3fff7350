import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore
import Synchronization

/// Archives with selected entries, which the page downloads after it has shown what is redacted.
final class EntryExports: Sendable {
    /// The last export, which is mapped from a file without a name.
    private let last = Mutex<(id: String, name: String, data: Data)?>(nil)

    /// Writes the selected entries to a file, and returns what was redacted.
    func export(_ request: ViewRequest, from lists: EntryLists) throws -> JSONValue {
        let archive = lists.archive
        let indices =
            try request.body["indices"]?.array.map { listed in
                listed.compactMap { $0.int.flatMap(UInt32.init(exactly:)) }.filter { $0 < archive.count }
            } ?? lists.indices(EntryLists.Key(filter: request.text("q")))
        guard !indices.isEmpty else {
            throw ViewError(400, "The selection is empty. Select entries, or change the filter.")
        }
        let redactor = request.body["redact"]?.bool ?? true ? try HARRedactor() : nil
        let file = try Spool.file(for: "the export")
        let writer = HARWriter(handle: FileHandle(fileDescriptor: file.descriptor, closeOnDealloc: false))
        var kinds: [String: Int] = [:]
        let used = Set(indices.compactMap { archive.summary(at: Int($0)).pageref })
        for page in archive.log.pages ?? [] where used.contains(page.id) {
            try writer.append(redactor?.redacted(page) ?? page)
        }
        for index in indices {
            let recorded = try archive.entry(at: Int(index))
            let entry = try recorded.embeddingBodies(from: archive.bodyFolder, unlessIn: nil) ?? recorded
            for finding in redactor?.secrets(in: entry) ?? [] { kinds["\(finding.kind)", default: 0] += 1 }
            try writer.append(redactor?.redacted(entry) ?? entry)
        }
        try writer.finish()
        let stem = lists.name.prefix { $0 != "." }.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
        let name = String(stem) + (redactor == nil ? "-selection.har" : "-redacted.har")
        let id = UUID().uuidString
        let data = try Data(contentsOf: file.url, options: .mappedIfSafe)
        last.withLock { $0 = (id, name, data) }
        let replaced = kinds.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        return [
            "id": .text(id), "entries": .integer(indices.count), "bytes": .integer(data.count), "name": .text(name),
            "replaced": .array(replaced.map { ["kind": .text($0.key), "count": .integer($0.value)] }),
        ]
    }

    /// Returns an export as a download.
    func download(_ id: String) throws(ViewError) -> Reply {
        guard let export = last.withLock({ $0 }), export.id == id else {
            throw ViewError(404, "The export no longer exists. Export the entries again.")
        }
        let disposition = HeaderField(name: "Content-Disposition", value: "attachment; filename=\"\(export.name)\"")
        return .data(export.data, type: "application/json", headers: [disposition])
    }
}
