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
            defer { entryCount += 1 }
            order.take(entry, index: entryCount)
            references.take(entry, index: entryCount)
            return inspect(.object(entry.fields), at: Self.pointer(ofEntry: entryCount), byteOffset) {
                $0.check($0.root, as: .entry)
            }
        case .unexpectedValue(let value):
            defer { entryCount += 1 }
            return inspect(value, at: Self.pointer(ofEntry: entryCount), byteOffset) {
                $0.check($0.root, asElement: .entry)
            }
        }
    }

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
        guard var inspection = Inspection(value, at: pointer, offset: offset, isOld: isOld) else { return [] }
        body(&inspection)
        inspection.checkStrings()
        return inspection.findings.filter { finding in
            guard finding.rule == .unknownField || finding.rule == .newerField, reported.count < Self.limit else {
                return true
            }
            return reported.insert(finding.message).inserted
        }
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
