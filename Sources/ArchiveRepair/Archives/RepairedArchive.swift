import Foundation
import ArchiveChecking
import HTTPArchive

/// The repaired archive: the log and the entries that a scan found, with their fields repaired.
final class RepairedArchive {
    /// The start time of entries and pages in an archive that contains no time.
    private static let unknownDate = "1970-01-01T00:00:00.000Z"

    private let scan: ArchiveScan
    private let folder: HAR.BodyFolder
    private let report: RepairReport

    /// The repairs outside the entries that are not reported yet, in reverse order of the file.
    private var notes: [RepairNote.Draft] = []

    /// The new identifiers of pages in each archive.
    private var renamed: [[String: String]] = []

    /// The start times of pages, by identifier.
    private var pageDates: [String: String] = [:]

    /// The start time of the last entry that has one, or nil.
    private var lastDate: String?

    /// The first start time of an entry, or nil if no entry has one.
    private lazy var firstDate: String? = try? findFirstDate()

    /// Prepares an archive.
    ///
    /// - Parameters:
    ///   - scan: The scan of the file.
    ///   - folder: The folder with the body files.
    ///   - report: The receiver of the repairs.
    init(_ scan: ArchiveScan, bodiesIn folder: HAR.BodyFolder, report: RepairReport) {
        self.scan = scan
        self.folder = folder
        self.report = report
    }

    /// Repairs and writes the archive.
    ///
    /// - Parameter writer: The writer, or nil to only report the repairs. This method does not finish it.
    /// - Throws: `unwritableFile`; `unreadableFile` or `malformedJSON` if the file was changed after it was scanned.
    func write(to writer: HARWriter?) throws(HARError) {
        let log = log()
        addTextNotes()
        notes.sort { $0.offset > $1.offset }
        if let writer {
            try writer.write(log) { () throws(HARError) in try writeEntries(to: writer) }
        } else {
            try writeEntries(to: nil)
        }
        try reportNotes(before: .max)
    }

    // MARK: The log

    private func addTextNotes() {
        for change in scan.changes {
            let isInEntries =
                change.field == nil && change.kind != .missingEnd
                && (change.entryIndex > 0 || change.offset > scan.entries.first?.start ?? .max)
            let path =
                isInEntries
                ? ["entries", String(max(0, change.entryIndex - 1))] : [change.field].compactMap(\.self)
            add(change.kind, ["log"] + path, change.offset, change.message)
        }
        for text in scan.broken.prefix(Self.maximumNoteCount) {
            let message = text.part == .element ? "Removed an element of `entries` that is not an object." : nil
            add(.brokenText, ["log"], text.range.lowerBound, message)
        }
        for range in scan.incomplete.prefix(Self.maximumNoteCount) {
            add(.incompleteEntry, ["log"], range.lowerBound)
        }
        for archive in scan.archives where archive.hasOtherFields { add(.droppedField, ["log"], archive.offset) }
    }

    private func add(_ kind: RepairNote.Kind, _ path: [String], _ offset: Int, _ message: String? = nil) {
        notes.append(.init(kind: kind, message: message ?? kind.message, path: path, offset: offset))
    }

    /// Returns the log with the pages of all archives, and without entries.
    private func log() -> HAR.Log {
        var logs: [JSONObject] = []
        for (index, archive) in scan.archives.enumerated() { logs.append(repairedLog(archive, isFirst: index == 0)) }
        let lists = logs.map { HAR.Log(fields: $0).pages ?? [] }
        let pages = MergedPages(lists)
        renamed = pages.renamed
        for (index, names) in renamed.enumerated() where !names.isEmpty {
            add(.renamedPage, ["log", "pages"], scan.archives[index].offset)
        }
        var log = HAR.Log(fields: logs.first ?? [:])
        if !pages.added.isEmpty { log.pages = (log.pages ?? []) + pages.added }
        for page in log.pages ?? [] { pageDates[page.id] = page.startedDateTime }
        log.documentFields = documentFields()
        return log
    }

    /// Returns the fields of a log, with an empty array in place of `entries`.
    private func repairedLog(_ archive: ArchiveScan.Archive, isFirst: Bool) -> JSONObject {
        let members = archive.fields.compactMap { field -> JSONObject.Member? in
            guard let field else { return .init(name: "entries", value: []) }
            guard field.member.name == "entries" else { return field.member }
            // Only a scalar is read as a field.
            guard field.member.value != .null else { return nil }
            let message = "Renamed `entries`, which must be an array."
            add(.wrongType, ["log", "_originalEntries"], field.range.lowerBound, message)
            return .init(name: "_originalEntries", value: field.member.value)
        }
        var repair = FieldRepair(defaultDate: firstDate ?? Self.unknownDate)
        let log = repair.repair(JSONObject(members: members), as: .log)
        var fields: [String: ArchiveScan.Field] = [:]
        for case let field? in archive.fields { fields[field.member.name.text] = field }
        for note in repair.notes where isFirst || note.path.first == "pages" {
            let field = note.path.first.flatMap { fields[$0] }
            let offset = field.map { $0.range.lowerBound + $0.text.sourceOffset(of: note.offset) } ?? archive.offset
            add(note.kind, ["log"] + note.path, offset, note.message)
        }
        for case let field? in archive.fields {
            notes += notes(for: field.text, at: field.range.lowerBound, ["log", field.member.name.text])
        }
        return log
    }

    private func documentFields() -> JSONObject {
        guard let archive = scan.archives.first else { return [:] }
        var members: [JSONObject.Member] = []
        for field in archive.documentFields {
            guard let field else {
                members.append(.init(name: "log", value: [:]))
                continue
            }
            let path = [field.member.name.text]
            notes += notes(for: field.text, at: field.range.lowerBound, path)
            let name: JSONString = field.member.name == "log" ? "_originalLog" : field.member.name
            var repair = FieldRepair(defaultDate: firstDate ?? Self.unknownDate)
            let object = JSONObject(members: [.init(name: name, value: field.member.value)])
            guard case .object(let cleaned) = repair.cleaned(.object(object)) else { continue }
            for note in repair.notes { add(note.kind, path, field.range.lowerBound, note.message) }
            members += cleaned.members
        }
        return JSONObject(members: members)
    }

    /// Returns the changes of the text of a value, and counts those that are not reported.
    ///
    /// - Parameters:
    ///   - text: The text of the value.
    ///   - start: The offset of the value in the file.
    ///   - path: The path to the value.
    ///   - source: The parsed value, or nil (the default) to use its path for all changes inside.
    /// - Returns: The changes.
    private func notes(
        for text: LenientText, at start: Int, _ path: [String], in source: JSONSource? = nil
    ) -> [RepairNote.Draft] {
        let edits = text.edits.prefix(Self.maximumEditCount)
        report.count += text.edits.count - edits.count
        let paths = source?.paths(to: edits.indices.map(text.offset(ofEdit:)))
        return edits.enumerated().map { index, edit in
            .init(
                kind: edit.kind, message: edit.kind.message, path: path + (paths?[index] ?? []),
                offset: start + Int(edit.start))
        }
    }

    /// The maximum number of reported ranges of broken text, which limits memory use.
    private static let maximumNoteCount = 10_000

    /// The maximum number of reported changes of the text of one value.
    private static let maximumEditCount = 1000

    // MARK: Entries

    private func writeEntries(to writer: HARWriter?) throws(HARError) {
        for (index, entry) in scan.entries.enumerated() {
            try reportNotes(before: entry.start + 1)
            let (source, text) = try read(entry)
            var value = HAR.Entry(fields: JSONObject(node: source.root))
            var found: [RepairNote.Draft] = []
            if !FieldCheck.conforms(source.root, as: .entry) {
                var repair = FieldRepair(defaultDate: date(for: value))
                value.fields = repair.repair(value.fields, as: .entry)
                found = repair.notes
            }
            if let copy = try writer?.copy(of: value, from: folder) { value = copy }
            if let name = value.pageref.flatMap({ renamed[Int(entry.archive)][$0] }) { value.pageref = name }
            if HAR.date(value.startedDateTime) != nil { lastDate = value.startedDateTime }
            try reportRepairs(of: entry, at: index, source, text, found)
            guard let writer else { continue }
            if value.fields.node == nil { try writer.append(value) } else { try writer.append(validated: source.bytes) }
        }
    }

    private func read(_ entry: ArchiveScan.Entry) throws(HARError) -> (JSONSource, LenientText?) {
        let file = scan.reader.file
        let bytes = try file.bytes(in: entry.range)
        let text = entry.isEdited ? LenientScanner.strict(bytes, limits: scan.limits) : nil
        do throws(HARError) {
            return (try JSONSource.parsing(text?.bytes ?? bytes, limits: scan.limits), text)
        } catch {
            let context = HARError.Context(file: file.name, byteOffset: entry.start)
            throw HARError(error.code, error.message, at: context, underlying: error)
        }
    }

    /// Returns the start time for an entry that has none: the time of its page or of a neighboring entry.
    private func date(for entry: HAR.Entry) -> String {
        if HAR.date(entry.startedDateTime) != nil { return entry.startedDateTime }
        let page = entry.pageref.flatMap { pageDates[$0] }.flatMap { HAR.date($0) == nil ? nil : $0 }
        return lastDate ?? page ?? firstDate ?? Self.unknownDate
    }

    private func findFirstDate() throws(HARError) -> String? {
        for entry in scan.entries {
            let fields = JSONObject(node: try read(entry).0.root)
            guard let value = fields["startedDateTime"] else { continue }
            if let text = value.text, HAR.date(text) != nil { return text }
            if let date = value.text.flatMap({ DateText($0)?.text }) { return date }
            if let date = value.number.flatMap({ DateText.date(ofNumber: $0.text) }) { return date }
        }
        return nil
    }

    // MARK: Reporting

    private func reportNotes(before offset: Int) throws(HARError) {
        while let note = notes.last, note.offset < offset {
            notes.removeLast()
            try report.add(note.kind, note.message, at: note.path, offset: note.offset)
        }
    }

    private func reportRepairs(
        of entry: ArchiveScan.Entry, at index: Int, _ source: JSONSource, _ text: LenientText?,
        _ found: [RepairNote.Draft]
    ) throws(HARError) {
        let root = ["log", "entries", String(index)]
        var all = text.map { notes(for: $0, at: entry.start, root, in: source) } ?? []
        for note in found {
            let offset = entry.start + (text?.sourceOffset(of: note.offset) ?? note.offset)
            all.append(.init(kind: note.kind, message: note.message, path: root + note.path, offset: offset))
        }
        for note in all.sorted(by: { $0.offset < $1.offset }) {
            try report.add(note.kind, note.message, at: note.path, offset: note.offset)
        }
    }
}

/// Passes on repairs with their line and column.
final class RepairReport {
    private var file: InputFile
    private let receive: (RepairNote) -> Void
    private var position = TextPosition()

    /// The number of repairs other than removals of entries that cannot be read.
    var count = 0

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - file: The damaged file.
    ///   - receive: A closure that receives each repair.
    init(of file: InputFile, receive: @escaping (RepairNote) -> Void) {
        self.file = file
        self.receive = receive
    }

    /// Adds a repair.
    ///
    /// Repairs should be added in the order of the file, because lines are counted from the previous repair.
    ///
    /// - Parameters:
    ///   - kind: The kind of repair.
    ///   - message: The description; by default, the description of the kind.
    ///   - path: The names and array indices on the path to the location in the repaired archive.
    ///   - offset: The offset in the damaged file, in bytes.
    /// - Throws: `unreadableFile`.
    func add(_ kind: RepairNote.Kind, _ message: String? = nil, at path: [String], offset: Int) throws(HARError) {
        if kind != .brokenText, kind != .incompleteEntry { count += 1 }
        if offset < position.offset { position = TextPosition() }
        try file.advance(&position, to: offset)
        receive(
            RepairNote(
                kind: kind, message: message ?? kind.message, pointer: JSONPointer(path), byteOffset: offset,
                line: position.line, column: position.column))
    }

    /// Reports that the file was decoded, and continues with offsets in the decoded text.
    ///
    /// - Throws: `unreadableFile`.
    func restart(with decoded: InputFile) throws(HARError) {
        try add(.encodedJSON, at: [], offset: 0)
        (file, position) = (decoded, TextPosition())
    }
}
