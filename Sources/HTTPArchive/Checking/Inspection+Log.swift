import Foundation

/// The rules for what stands outside the entries.
extension Inspection {
    /// Checks that the version of the log is one that exists.
    mutating func checkVersion() {
        guard let version = root.text, version != "1.2" else { return }
        if version == "1.1" || version.isEmpty {
            let state = version.isEmpty ? "empty, which means 1.1" : "1.1"
            report(.note, .oldVersion, at: root, "`version` is \(state); the current version of HAR is 1.2.")
        } else {
            report(.warning, .unknownVersion, at: root, "`version` is \(version.quoted); there are HAR 1.1 and 1.2.")
        }
    }

    /// Checks a `log` beside the one that is read.
    mutating func checkLog() {
        guard root.kind != .object else { return }
        report(.error, .wrongType, at: root, "`log` is \(root.kind.title); HAR 1.2 wants an object.")
    }

    /// Checks a field that stands beside `log`.
    mutating func checkUnknownDocumentField(_ name: String) {
        guard !name.hasPrefix("_") else { return }
        report(.note, .unknownField, at: root, "\(name.quoted) stands beside `log`, where HAR 1.2 has nothing.")
    }
}

/// Tells whether the pages that entries refer to are there, wherever in the log they stand.
struct PageReferences {
    /// The largest number of pages that are looked for, so that memory stays bounded.
    private static let limit = 10_000

    private var pages: Set<String> = []
    private var references: [(page: String, index: Int, offset: Int?)] = []
    private var seen: Set<String> = []

    /// Takes the pages of the log.
    mutating func take(pages value: JSONValue) {
        for page in value.array ?? [] { if let id = page["id"]?.text { pages.insert(id) } }
    }

    /// Takes the next entry.
    mutating func take(_ entry: HAR.Entry, index: Int) {
        guard let page = entry.pageref, !pages.contains(page), seen.count < Self.limit, seen.insert(page).inserted
        else { return }
        references.append((page, index, entry.fields.node?["pageref"]?.documentRange.lowerBound))
    }

    /// What is to be said at the end: once for each page that is not there.
    var findings: [HARFinding] {
        references.filter { !pages.contains($0.page) }.map { reference in
            HARFinding(
                severity: .warning, rule: .unknownPage,
                pointer: HARChecker.pointer(ofEntry: reference.index).appending("pageref"),
                byteOffset: reference.offset,
                message: "There is no page \(reference.page.quoted), which the entry refers to, the first of its page.")
        }
    }
}

/// Tells whether the entries stand in the order of their times.
struct EntryOrder {
    private var last: Date?
    private var count = 0
    private var first: (index: Int, offset: Int?)?

    /// Takes the next entry.
    mutating func take(_ entry: HAR.Entry, index: Int) {
        guard let date = entry.startedDate else { return }
        if let last, date < last {
            count += 1
            if first == nil { first = (index, entry.fields.byteRange?.lowerBound) }
        }
        last = date
    }

    /// What is to be said at the end.
    var finding: HARFinding? {
        guard let first else { return nil }
        let rest = count == 1 ? "" : ", and so did \(count - 1) more"
        return HARFinding(
            severity: .note, rule: .entriesNotInOrder, pointer: HARChecker.pointer(ofEntry: first.index),
            byteOffset: first.offset,
            message: "The entry began before the one in front of it\(rest); HAR 1.2 prefers the oldest first.")
    }
}
