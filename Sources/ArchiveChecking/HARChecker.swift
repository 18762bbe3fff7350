public import Foundation
public import HTTPArchive

/// Checks an archive for errors and reports their locations.
///
/// ```swift
/// try HARChecker.check(contentsOf: url) { finding in print(finding) }
/// ```
///
/// Alternatively, check events one by one while processing them:
///
/// ```swift
/// var checker = HARChecker()
/// while let event = try reader.nextEvent() {
///     for finding in checker.check(event, at: reader.eventOffset) { print(finding) }
/// }
/// for finding in checker.finish() { print(finding) }
/// ```
///
/// The checker tests whether the archive conforms to HAR 1.2 and can be replayed. Memory use is proportional to the
/// size of the largest entry. A field that is not in the specification, or is newer than the log's version, is reported
/// once per kind of object. At most 1,000 findings are reported per entry.
public struct HARChecker: Sendable {
    /// The maximum number of reported findings to remember, which limits memory use.
    private static let limit = 1000

    private static let logPointer = JSONPointer(["log"])

    /// The fields of the document and of the log.
    private var fields: Set<JSONPointer> = []
    private var isInLog = false
    private var logOffset: Int?
    private var isOld = false
    private var entryCount = 0
    private var reported: Set<String> = []
    private var order = EntryOrder()
    private var references = PageReferences()

    /// Creates a checker for one archive.
    public init() {}

    /// Checks the next event of the archive.
    ///
    /// - Parameters:
    ///   - event: The event.
    ///   - byteOffset: The offset of the event in the file, as returned by `HARReader.eventOffset`, or nil for an
    ///     event created in code. Without it, findings in fields of the log have no offset.
    /// - Returns: The findings in the event.
    public mutating func check(_ event: HAREvent, at byteOffset: Int? = nil) -> [HARFinding] {
        switch event {
        case .beginLog:
            isInLog = true
            logOffset = byteOffset
            return nameFindings("log", at: Self.logPointer, byteOffset)
        case .endLog:
            isInLog = false
            return []
        case .beginEntries:
            return nameFindings("entries", at: Self.logPointer.appending("entries"), byteOffset)
        case .endEntries: return []
        case .field(let member):
            return isInLog ? check(logField: member, at: byteOffset) : check(documentField: member, at: byteOffset)
        case .entry(let entry):
            return take(CheckedEntry(entry, at: entryCount, byteOffset, isOld: isOld))
        case .unexpectedValue(let value):
            defer { entryCount += 1 }
            return inspect(value, at: Self.pointer(ofEntry: entryCount), byteOffset) {
                $0.check($0.root, asElement: .entry)
            }
        }
    }

    /// Begins to check the next entries of the archive on all processors.
    ///
    /// - Parameters:
    ///   - entries: The entries, and the offset of each one in the file, in bytes.
    ///   - previous: The check of the entries directly before them, unless it has been finished.
    ///   - folder: The folder in which missing body files are findings, too.
    /// - Returns: The check. Call ``finish(_:)`` with it before checking another event.
    package func begin(
        entries: [(entry: HAR.Entry, byteOffset: Int?)], after previous: EntryCheck?,
        bodiesIn folder: HAR.BodyFolder
    ) -> EntryCheck {
        let first = entryCount + (previous?.entryCount ?? 0)
        let isOld = isOld
        return EntryCheck(
            entryCount: entries.count,
            results: PendingResults {
                Self.check(entries, from: first, isOld: isOld, bodiesIn: folder)
            })
    }

    /// Waits for a check of entries, and returns the findings.
    package mutating func finish(_ check: EntryCheck) -> [HARFinding] {
        check.results.wait().flatMap { entry, missingBodies in take(entry) + missingBodies }
    }

    /// Entries that are being checked on other threads.
    package struct EntryCheck: Sendable {
        fileprivate let entryCount: Int
        fileprivate let results: PendingResults<(CheckedEntry, missingBodies: [HARFinding])>
    }

    private static func check(
        _ entries: [(entry: HAR.Entry, byteOffset: Int?)], from first: Int, isOld: Bool,
        bodiesIn folder: HAR.BodyFolder
    ) -> [(CheckedEntry, missingBodies: [HARFinding])] {
        let parts = stride(from: 0, to: entries.count, by: partCount).map { start in
            start..<min(start + partCount, entries.count)
        }
        let checked = parts.concurrentMap { part in
            part.map { number in
                let (entry, byteOffset) = entries[number]
                let index = first + number
                return (
                    CheckedEntry(entry, at: index, byteOffset, isOld: isOld),
                    entry.missingBodyFindings(at: pointer(ofEntry: index), byteOffset, bodiesIn: folder)
                )
            }
        }
        return Array(checked.joined())
    }

    /// The number of entries that a thread checks before it takes more.
    private static let partCount = 16

    /// Finishes the check after the last event.
    ///
    /// - Returns: The findings that depend on the whole archive: missing fields of the log, missing pages, and entries
    ///   that are out of order.
    public mutating func finish() -> [HARFinding] {
        let table = HARObjectKind.log.table
        let missing = table.fields(in: table.required).filter { field in
            !fields.contains(Self.logPointer.appending(field.name))
        }.map { field in
            HARFinding(
                severity: field.absence ?? .note, rule: field.absenceRule, pointer: Self.logPointer,
                byteOffset: logOffset, message: Inspection.isMissing(field, of: .log))
        }
        return missing + references.findings + [order.finding].compactMap(\.self)
    }

    /// Returns the location of an entry in an archive.
    static func pointer(ofEntry index: Int) -> JSONPointer { JSONPointer(["log", "entries", String(index)]) }

    // MARK: Fields of the log

    private mutating func check(logField member: JSONObject.Member, at offset: Int?) -> [HARFinding] {
        let name = member.name.text
        let pointer = Self.logPointer.appending(name)
        let findings = nameFindings(name, at: pointer, offset)
        if name == "version" { isOld = ["1.1", ""].contains(member.value.text) }
        if name == "pages" { references.take(pages: member.value) }
        // Check pages individually, because objects have an offset in the file but arrays do not.
        if name == "pages", let pages = member.value.array {
            return findings
                + pages.enumerated().flatMap { index, page in
                    inspect(page, at: pointer.appending(index), nil) { $0.check($0.root, asElement: .page) }
                }
        }
        return findings
            + inspect(member.value, at: pointer, offset) { inspection in
                guard let field = HARObjectKind.log.table.field(named: name) else {
                    return inspection.checkUnknown(name, at: inspection.root, of: .log)
                }
                if field.isNew { inspection.checkNewer(field, at: inspection.root, of: .log) }
                if name == "version" { inspection.checkVersion() }
                inspection.check(inspection.root, as: field, of: .log)
            }
    }

    private mutating func check(documentField member: JSONObject.Member, at offset: Int?) -> [HARFinding] {
        let name = member.name.text
        let pointer = JSONPointer([name])
        return nameFindings(name, at: pointer, offset)
            + inspect(member.value, at: pointer, offset) { inspection in
                if name == "log" {
                    inspection.checkLog()
                } else {
                    inspection.checkUnknownDocumentField(name)
                }
            }
    }

    // MARK: Inspecting

    /// Checks a value and returns its findings, without those that are reported only once and have been reported
    /// before.
    private mutating func inspect(
        _ value: JSONValue, at pointer: JSONPointer, _ offset: Int?, _ body: (inout Inspection) -> Void
    ) -> [HARFinding] {
        unreported(Inspection.findings(in: value, at: pointer, offset: offset, isOld: isOld, body))
    }

    /// Returns the findings without those that are reported only once and have been reported before.
    private mutating func unreported(_ findings: [HARFinding]) -> [HARFinding] {
        findings.filter { finding in
            guard finding.rule == .unknownField || finding.rule == .newerField, reported.count < Self.limit else {
                return true
            }
            return reported.insert(finding.message).inserted
        }
    }

    /// Returns the findings in the next entry, and compares it with other parts of the archive.
    private mutating func take(_ checked: CheckedEntry) -> [HARFinding] {
        order.take(checked.entry, startedAt: checked.date, index: entryCount)
        references.take(checked.entry, on: checked.page, index: entryCount)
        entryCount += 1
        return unreported(checked.findings)
    }

    /// Records a name in the document or log, and returns a finding if the name is repeated.
    private mutating func nameFindings(_ name: String, at pointer: JSONPointer, _ offset: Int?) -> [HARFinding] {
        guard !fields.insert(pointer).inserted else { return [] }
        let isRead = name == "log" || name == "entries"
        return [
            HARFinding(
                severity: .warning, rule: .repeatedName, pointer: pointer, byteOffset: offset,
                message: "\(name.quoted) is repeated; \(isRead ? "only one value is read" : "the last value is used").")
        ]
    }
}

/// The results of checking an entry that do not depend on other parts of the archive.
fileprivate struct CheckedEntry: Sendable {
    let entry: HAR.Entry
    let page: String?
    let date: Date?
    let findings: [HARFinding]

    /// Checks an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry in the archive.
    ///   - byteOffset: The offset of the entry in the file, in bytes, or nil if it is unknown.
    ///   - isOld: Whether the version of the log is 1.1.
    init(_ entry: HAR.Entry, at index: Int, _ byteOffset: Int?, isOld: Bool) {
        self.entry = entry
        page = entry.pageref
        var date: Date?
        findings = Inspection.findings(
            in: .object(entry.fields), at: HARChecker.pointer(ofEntry: index), offset: byteOffset, isOld: isOld
        ) { inspection in
            inspection.check(inspection.root, as: .entry)
            date = inspection.startedDate
        }
        self.date = date
    }
}

extension HARChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - report: A closure that is called with each finding during the check.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after all earlier findings have
    ///   been reported.
    public static func check(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        report: (HARFinding) -> Void
    ) throws(HARError) {
        try check(HARReader(contentsOf: url, configuration: configuration), report: report)
    }

    /// Checks the remaining events of a reader, which should be at the start of the archive.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - report: A closure that is called with each finding during the check.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after all earlier findings have
    ///   been reported.
    public static func check(_ reader: HARReader, report: (HARFinding) -> Void) throws(HARError) {
        var checker = HARChecker()
        var isAtStart = true
        // Missing entries are a finding.
        reader.requiresEntries = false
        while let event = try reader.nextEvent() {
            if isAtStart, reader.hasByteOrderMark { report(.byteOrderMark) }
            isAtStart = false
            checker.check(event, at: reader.eventOffset).forEach(report)
        }
        checker.finish().forEach(report)
    }
}
