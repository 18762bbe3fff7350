public import Foundation

/// Finds what is wrong with an archive, and where.
///
/// ```swift
/// try HARChecker.check(contentsOf: url) { finding in print(finding) }
/// ```
///
/// Or part by part, beside other work:
///
/// ```swift
/// var checker = HARChecker()
/// while let event = try reader.nextEvent() {
///     for finding in checker.check(event, at: reader.eventOffset) { print(finding) }
/// }
/// for finding in checker.finish() { print(finding) }
/// ```
///
/// Checked is the archive against HAR 1.2, and what replaying it needs. Memory follows the largest entry. A field that
/// the specification does not have, or not yet in the log's version, is told once for each kind of object; of one entry
/// at most 1,000 findings are told.
public struct HARChecker: Sendable {
    /// The largest number of findings remembered as told, so that memory stays bounded.
    private static let limit = 1000

    private static let logPointer = JSONPointer(["log"])

    private var documentNames: Set<String> = []
    private var logNames: Set<String> = []
    private var isInLog = false
    private var logOffset: Int?
    private var isOld = false
    private var entryCount = 0
    private var told: Set<String> = []
    private var order = EntryOrder()
    private var references = PageReferences()

    /// Creates a checker, for one archive.
    public init() {}

    /// Checks the next part of the archive.
    ///
    /// - Parameters:
    ///   - event: The part.
    ///   - byteOffset: Where it is in the file, as ``HARReader/eventOffset`` says; `nil`, as for parts made by code, gives
    ///     findings at the log's own fields no offset.
    /// - Returns: What was found in it.
    public mutating func check(_ event: HAREvent, at byteOffset: Int? = nil) -> [HARFinding] {
        switch event {
        case .beginLog:
            isInLog = true
            logOffset = byteOffset
            return nameFindings("log", in: \.documentNames, at: Self.logPointer, byteOffset)
        case .endLog:
            isInLog = false
            return []
        case .beginEntries:
            return nameFindings("entries", in: \.logNames, at: Self.logPointer.appending("entries"), byteOffset)
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

    /// Ends the archive.
    ///
    /// - Returns: What can be said only now: fields that the log lacks, pages that entries refer to, the order.
    public mutating func finish() -> [HARFinding] {
        let missing = HARObjectKind.log.requiredFields.filter { !logNames.contains($0.name) }.map { field in
            HARFinding(
                severity: field.absence ?? .note, rule: field.absenceRule, pointer: Self.logPointer,
                byteOffset: logOffset, message: Inspection.isMissing(field, of: .log))
        }
        return missing + references.findings + [order.finding].compactMap(\.self)
    }

    /// The place of an entry in an archive.
    static func pointer(ofEntry index: Int) -> JSONPointer { JSONPointer(["log", "entries", String(index)]) }

    // MARK: Fields of the log

    private mutating func check(logField member: JSONObject.Member, at offset: Int?) -> [HARFinding] {
        let name = member.name.text
        let pointer = Self.logPointer.appending(name)
        let findings = nameFindings(name, in: \.logNames, at: pointer, offset)
        if name == "version" { isOld = ["1.1", ""].contains(member.value.text) }
        if name == "pages" { references.take(pages: member.value) }
        // The pages are checked one by one: an array does not know its place in the file, the objects in it do.
        if name == "pages", let pages = member.value.array {
            return findings
                + pages.enumerated().flatMap { index, page in
                    inspect(page, at: pointer.appending(index), nil) { $0.check($0.root, asElement: .page) }
                }
        }
        return findings
            + inspect(member.value, at: pointer, offset) { inspection in
                guard let field = HARObjectKind.log.fieldsByName[name] else {
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
        return nameFindings(name, in: \.documentNames, at: pointer, offset)
            + inspect(member.value, at: pointer, offset) { inspection in
                if name == "log" {
                    inspection.checkLog()
                } else {
                    inspection.checkUnknownDocumentField(name)
                }
            }
    }

    // MARK: Inspecting

    /// Checks a value, and drops what was told before and need not be told again.
    private mutating func inspect(
        _ value: JSONValue, at pointer: JSONPointer, _ offset: Int?, _ body: (inout Inspection) -> Void
    ) -> [HARFinding] {
        guard var inspection = Inspection(value, at: pointer, offset: offset, isOld: isOld) else { return [] }
        body(&inspection)
        inspection.checkStrings()
        return inspection.findings.filter { finding in
            guard finding.rule == .unknownField || finding.rule == .newerField, told.count < Self.limit else {
                return true
            }
            return told.insert(finding.message).inserted
        }
    }

    /// Notes a name of the document or the log, and says so when it stood there before.
    private mutating func nameFindings(
        _ name: String, in names: WritableKeyPath<HARChecker, Set<String>>, at pointer: JSONPointer, _ offset: Int?
    ) -> [HARFinding] {
        guard !self[keyPath: names].insert(name).inserted else { return [] }
        let isRead = name == "log" || name == "entries"
        return [
            HARFinding(
                severity: .warning, rule: .repeatedName, pointer: pointer, byteOffset: offset,
                message: "\(name.quoted) stands twice; \(isRead ? "only one of them is read" : "the last one counts").")
        ]
    }
}

extension HARChecker {
    /// Checks a file.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - report: Called with each finding, as soon as it is known.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after the findings before.
    public static func check(
        contentsOf url: URL, configuration: HARReader.Configuration = HARReader.Configuration(),
        report: (HARFinding) -> Void
    ) throws(HARError) {
        try check(HARReader(contentsOf: url, configuration: configuration), report: report)
    }

    /// Checks what a reader has not read yet, which should be all.
    ///
    /// - Parameters:
    ///   - reader: The reader.
    ///   - report: Called with each finding, as soon as it is known.
    /// - Throws: `malformedJSON`, `notAnArchive`, `limitExceeded` or `unreadableFile`, after the findings before.
    public static func check(_ reader: HARReader, report: (HARFinding) -> Void) throws(HARError) {
        var checker = HARChecker()
        var isAtStart = true
        while let event = try reader.nextEvent() {
            if isAtStart, reader.hasByteOrderMark { report(.byteOrderMark) }
            isAtStart = false
            checker.check(event, at: reader.eventOffset).forEach(report)
        }
        checker.finish().forEach(report)
    }
}
