import Foundation
import HTTPArchive

/// The rules for fields outside the entries.
extension Inspection {
    /// Checks that the version of the log is known.
    mutating func checkVersion() {
        guard let version = root.text, version != "1.2" else { return }
        if version == "1.1" || version.isEmpty {
            let state = version.isEmpty ? "empty, which means 1.1" : "1.1"
            report(.note, .oldVersion, at: root, "`version` is \(state). The current version of HAR is 1.2.")
        } else {
            report(.warning, .unknownVersion, at: root, "Expected 1.1 or 1.2 for `version`, found \(version.quoted).")
        }
    }

    /// Checks a duplicate `log` field.
    mutating func checkLog() {
        guard root.kind != .object else { return }
        report(.error, .wrongType, at: root, "Expected an object for `log`, found \(root.kind.title).")
    }

    /// Checks a field of the document other than `log`.
    mutating func checkUnknownDocumentField(_ name: String) {
        guard !name.hasPrefix("_") else { return }
        report(.note, .unknownField, at: root, "\(name.quoted) is not in HAR 1.2, which has only `log` at this level.")
    }
}

/// Checks that entries refer to existing pages, which may precede or follow the entries.
struct PageReferences {
    /// The maximum number of distinct page references to check, which limits memory use.
    private static let limit = 10_000

    private var pages: Set<String> = []
    private var references: [(page: String, index: Int, offset: Int?)] = []
    private var seen: Set<String> = []

    /// Adds the pages of the log.
    mutating func take(pages value: JSONValue) {
        for page in value.array ?? [] { if let id = page["id"]?.text { pages.insert(id) } }
    }

    /// Adds the next entry.
    mutating func take(_ entry: HAR.Entry, on page: String?, index: Int) {
        guard let page, !pages.contains(page), seen.count < Self.limit, seen.insert(page).inserted
        else { return }
        references.append((page, index, entry.fields.node?["pageref"]?.documentRange.lowerBound))
    }

    /// The findings for missing pages, one for each page.
    var findings: [HARFinding] {
        references.filter { !pages.contains($0.page) }.map { reference in
            HARFinding(
                severity: .warning, rule: .unknownPage,
                pointer: HARChecker.pointer(ofEntry: reference.index).appending("pageref"),
                byteOffset: reference.offset,
                message: "The page \(reference.page.quoted) is missing. This is the first entry that refers to it.")
        }
    }
}

/// Checks that the entries are in chronological order.
struct EntryOrder {
    private var last: Date?
    private var count = 0
    private var first: (index: Int, offset: Int?)?

    /// Adds the next entry.
    mutating func take(_ entry: HAR.Entry, startedAt date: Date?, index: Int) {
        guard let date else { return }
        if let last, date < last {
            count += 1
            if first == nil { first = (index, entry.fields.byteRange?.lowerBound) }
        }
        last = date
    }

    /// The finding for entries that are out of order, or nil if all entries are in order.
    var finding: HARFinding? {
        guard let first else { return nil }
        let rest = count == 1 ? "" : " (the first of \(count) such entries)"
        return HARFinding(
            severity: .note, rule: .entriesNotInOrder, pointer: HARChecker.pointer(ofEntry: first.index),
            byteOffset: first.offset,
            message: "The entry begins before the previous one\(rest). HAR 1.2 recommends chronological order.")
    }
}
