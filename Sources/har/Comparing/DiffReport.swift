import ArchiveChecking
import ArchiveInspection
import Foundation
import HTTPArchive
import Relay

/// The output of `har diff`.
struct DiffReport {
    /// The form of the output.
    enum Form {
        /// One line per entry, and one per difference.
        case text

        /// An object with lists of entries.
        case json

        /// A summary in Markdown.
        case markdown

        /// The matching that ignores the volatile fields, in Swift.
        case matching

        /// The maximum number of differences of an entry, unless the user sets another one.
        var defaultLimit: Int {
            switch self {
            case .text: 20
            case .json: .max
            case .markdown: 5
            case .matching: 0
            }
        }

        /// Returns the lines of text for a difference; empty in JSON and for a matching.
        func lines(of difference: EntryDifference) -> [String] {
            let rest = difference.omittedCount
            let more = rest > 0 ? ["… and \(rest.of("more difference", "more differences"))"] : []
            return switch self {
            case .text: (difference.fields.map(\.line) + more).map { "    \($0)" }
            case .markdown: (difference.fields.map { MarkdownText.code($0.line) } + more).map { "  - \($0)" }
            case .json, .matching: []
            }
        }
    }

    /// The form.
    let form: Form

    private let output: StandardOutput
    private var list: JSONList?
    private var summary = DiffSummary()
    private var counts = (added: 0, removed: 0, changed: 0, equal: 0)
    private var ignored: [VolatileField: Int] = [:]

    /// Creates a report.
    ///
    /// In JSON, it begins with the list of added entries.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - form: The form.
    /// - Throws: `unwritableFile`.
    init(to output: StandardOutput, as form: Form) throws(HARError) {
        self.output = output
        self.form = form
        list = form == .json ? try JSONList(to: output, as: "added") : nil
    }

    /// Whether the archives differ.
    var hasDifferences: Bool { counts.added + counts.removed + counts.changed > 0 }

    /// Begins the list of removed entries or of changed pairs, which follow in this order in JSON.
    mutating func begin(_ name: String) throws(HARError) { try list?.beginNext(name) }

    /// Adds an entry that only one archive has.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - index: The index of the entry in its archive.
    ///   - isAdded: Whether only the second archive has the entry.
    /// - Throws: `unwritableFile`.
    mutating func add(_ entry: HAREntryFacts, at index: Int, isAdded: Bool) throws(HARError) {
        if isAdded { counts.added += 1 } else { counts.removed += 1 }
        switch form {
        case .text:
            let (sign, color) = isAdded ? ("+", "32") : ("-", "31")
            let status = entry.isFailed ? "failed" : "\(entry.status)"
            try output.line("\(sign) \(index) \(Self.label(of: entry)) \(status)", color: color)
        case .json:
            try list?.append([
                "index": .integer(index), "method": .text(entry.method), "url": .text(Self.url(of: entry)),
                "status": .integer(entry.status),
            ])
        case .markdown:
            let line = "- \(MarkdownText.code(Self.label(of: entry))) \(entry.isFailed ? "failed" : "\(entry.status)")"
            if isAdded { summary.added.append([line]) } else { summary.removed.append([line]) }
        case .matching: break
        }
    }

    /// Adds the result of a comparison.
    ///
    /// - Parameters:
    ///   - pair: The indices of the entries.
    ///   - difference: The differences between the entries.
    ///   - lines: The lines for the difference, as returned by ``Form/lines(of:)``.
    ///   - entry: The entry in the second archive.
    /// - Throws: `unwritableFile`.
    mutating func add(
        _ pair: EntryPairs.Pair, _ difference: EntryDifference, lines: [String], entry: @autoclosure () -> HAREntryFacts
    ) throws(HARError) {
        for field in difference.ignored { ignored[field, default: 0] += 1 }
        guard !difference.isEmpty else { return counts.equal += 1 }
        counts.changed += 1
        let entry = entry()
        switch form {
        case .text:
            try output.line("~ \(pair.first) → \(pair.second) \(Self.label(of: entry))", color: "33")
            for text in lines { try output.line(text) }
        case .json:
            var object: JSONObject = [
                "a": .integer(pair.first), "b": .integer(pair.second), "method": .text(entry.method),
                "url": .text(Self.url(of: entry)), "differences": .array(difference.fields.map(\.json)),
            ]
            if difference.omittedCount > 0 { object["omitted"] = .integer(difference.omittedCount) }
            try list?.append(.object(object))
        case .markdown: summary.changed.append(["- \(MarkdownText.code(Self.label(of: entry)))"] + lines)
        case .matching: break
        }
    }

    /// Adds a secret that the second archive contains, or a body that cannot be searched, to a summary.
    mutating func add(_ finding: HARFinding) {
        guard finding.severity == .error else { return summary.unsearchedCount += 1 }
        summary.secrets.append(["- \(MarkdownText.code("\(finding.message) (\(finding.pointer))"))"])
    }

    /// Writes the ignored fields and the numbers of entries, or the matching.
    ///
    /// - Parameter title: The name of the second archive.
    /// - Throws: `unwritableFile`.
    func finish(title: String) throws(HARError) {
        let numbers =
            "\(counts.added) added, \(counts.removed) removed, \(counts.changed) changed, \(counts.equal) equal"
        switch form {
        case .text:
            for (field, count) in sortedIgnored {
                try output.line("ignored \(field.part) \(field.name.printable) (\(count.of("pair", "pairs")))")
            }
            try output.line(numbers)
        case .markdown:
            for line in summary.lines(title: "#### \(MarkdownText.code(title.shortened(to: 200))): \(numbers)") {
                try output.line(line)
            }
        case .json:
            let fields = sortedIgnored.map { field, count -> JSONValue in
                ["part": .text(field.part), "name": .text(field.name), "count": .integer(count)]
            }
            try list?.finish(["ignored": .array(fields), "equal": .integer(counts.equal)])
        case .matching:
            try output.line(MatchingCode.matching(ignoring: ignored.keys))
            if let text = MatchingCode.limitation(of: ignored.keys) { StandardError.labeled("warning:", text) }
        }
    }

    /// The ignored fields with the number of pairs in which they differ, the most frequent first.
    private var sortedIgnored: [(key: VolatileField, value: Int)] {
        ignored.sorted { ($1.value, $0.key.part, $0.key.name) < ($0.value, $1.key.part, $1.key.name) }
    }

    private static func label(of entry: HAREntryFacts) -> String {
        let method = entry.method.isEmpty ? "-" : entry.method.printable
        return "\(method) \(url(of: entry).printable.shortened(to: 150))"
    }

    private static func url(of entry: HAREntryFacts) -> String { MessageRedactor.standard.url(entry.url) }
}
