import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive

/// `har search`: finds text in entries.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find text in URLs, header fields, cookies, bodies and messages.",
        discussion: """
            Bodies are decoded first: Base64, content codings, charsets and body files. Binary bodies, which har show \
            shows in hexadecimal, are not searched. URLs and forms are also searched in their percent-decoded form, JSON \
            with its escape sequences decoded, and cookies as name=value, unless a header field contains the same text. \
            The case of letters is ignored, unless --match-case is given.

            Prints each entry with a match, and below it each line with a match, with its part and line number. Long \
            lines are shortened around the matches. With --json, prints one object for each match: index, part, line, \
            column, before, match and after, and with --context also linesBefore and linesAfter.

            The exit status is 0 for a match, 1 without a match, and 2 if an error occurs or a body file cannot be read.

            Example: har search page.har 'sold out'
            Example: har search page.har --in body --type json --regex '"price": *0'
            Example: har search page.har token --count
            Example: har search page.har price --limit 5 --context 2
            """)

    @Argument(help: "The archive; - for standard input.")
    var file: Input

    @Argument(help: "The text to find.")
    var text: String

    @Flag(help: "The text is a regular expression.")
    var regex = false

    @Flag(help: "Distinguish uppercase and lowercase letters.")
    var matchCase = false

    @Option(
        name: .customLong("in"),
        help: "The parts to search, separated by commas: url, headers, cookies, body and messages.",
        completion: .list(SearchedPart.allCases.map(\.rawValue)))
    var parts: SearchedParts?

    @Flag(help: "Print only the number of entries with a match.")
    var count = false

    @Flag(help: "Print JSON instead of text.")
    var json = false

    @Option(
        name: [.customShort("c", allowingJoined: true), .long],
        help: "The number of lines of bodies to print before and after each match.")
    var context = 0

    @Option(help: "The maximum number of matches to print for each entry.")
    var limit: Int?

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if text.isEmpty { throw ValidationError("the text to find must not be empty") }
        if json, count { throw ValidationError("--json cannot be used with --count") }
        if let limit, limit < 0 { throw ValidationError("--limit must not be negative") }
        if count, limit != nil { throw ValidationError("--limit cannot be used with --count") }
        if count, context > 0 { throw ValidationError("--context cannot be used with --count") }
        if context < 0 { throw ValidationError("--context must not be negative") }
        _ = try query
    }

    /// The number of entries for which a regular expression may need too much time or memory.
    private static let failureLimit = 10

    private var query: TextQuery {
        get throws {
            try regex
                ? TextQuery(regularExpression: text, matchesCase: matchCase)
                : TextQuery(text: text, matchesCase: matchCase)
        }
    }

    func run() throws {
        try ExitCode.throwUnless { try search() > 0 }
    }

    /// Prints the matches, and returns the number of entries with a match.
    private func search() throws -> Int {
        let query = try query
        let folder = sizes.folder(of: file)
        let parts = parts?.parts ?? Set(SearchedPart.allCases)
        let output = StandardOutput()
        let list = try json ? JSONList(to: output) : nil
        var report = SearchReport(output: output, list: list, context: context, limit: limit ?? .max)
        var found = 0
        var failure: HARError?
        var failureCount = 0
        do throws(HARError) {
            let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: folder))
            let searched = try selection.forEach(mayContain: query, isQuiet: output.isTerminal) {
                entry, index throws(HARError) in
                let texts = try EntryText.texts(of: entry.entry, at: index, in: parts, bodiesIn: folder)
                let matches: [[Range<String.Index>]]
                do throws(HARError) {
                    matches = try EntryText.matches(of: query, in: texts, limit: count ? 1 : .max)
                } catch {
                    let error = failure ?? error.located(file: file.name, entry: index)
                    failure = error
                    failureCount += 1
                    // Each of these entries takes seconds.
                    if failureCount == Self.failureLimit { throw error }
                    return
                }
                guard matches.contains(where: { !$0.isEmpty }) else { return }
                found += 1
                if !count { try report.add(Array(zip(texts, matches)), in: entry, at: index) }
            }
            // Entries without the text were omitted before the conditions were checked.
            if searched == 0, !conditions.isEmpty, try selection.isEmpty() { conditions.reportNoMatch() }
        } catch {
            failure = failure ?? error
        }
        if count { try output.line(String(found)) }
        try report.list?.finish()
        try output.flush()
        if let failure { throw failure }
        return found
    }
}

extension ExitCode {
    /// Throws the exit status of a command that searches or compares, unless it is 0.
    ///
    /// - Parameter isSuccessful: A closure that runs the command.
    /// - Throws: 1 if the closure returns `false`; 2 if it throws an error, which is printed, or if a body file cannot
    ///   be read.
    static func throwUnless(_ isSuccessful: () throws -> Bool) throws {
        do {
            let isSuccessful = try isSuccessful()
            if !UnreadBodies.isEmpty { throw Self(2) }
            if !isSuccessful { throw failure }
        } catch let error as HARError {
            StandardError.error(error)
            throw Self(2)
        }
    }
}

/// The parts of entries that `har search --in` searches.
struct SearchedParts: ExpressibleByArgument {
    /// The parts.
    let parts: Set<SearchedPart>

    init?(argument: String) {
        let parts = argument.split(separator: ",").map { SearchedPart(rawValue: String($0)) }
        guard !parts.isEmpty, !parts.contains(nil) else { return nil }
        self.parts = Set(parts.compactMap { $0 })
    }
}

extension HARError {
    /// Returns the error with the location of an entry.
    fileprivate func located(file: String, entry index: Int) -> HARError {
        let pointer = JSONPointer(["log", "entries", String(index)])
        return HARError(code, message, at: .init(file: file, pointer: pointer), underlying: underlying)
    }
}

/// Writes the matches of `har search`.
struct SearchReport {
    let output: StandardOutput

    /// The JSON list to write to; nil for text.
    var list: JSONList?

    /// The number of lines of bodies before and after each match.
    let context: Int

    /// The maximum number of matches to write for each entry.
    let limit: Int

    /// Writes the matches in an entry.
    ///
    /// - Parameters:
    ///   - found: The searched texts with their matches.
    ///   - entry: The entry.
    ///   - index: The index of the entry.
    /// - Throws: `unwritableFile`.
    mutating func add(
        _ found: [(EntryText, [Range<String.Index>])], in entry: HAREntryFacts, at index: Int
    ) throws(HARError) {
        if list == nil {
            let method = entry.method.isEmpty ? "-" : entry.method.printable
            let url = entry.url.printable
            let start = "\(index) \(method) \(entry.status) "
            try output.line(start + (Terminal.width.map { url.shortened(to: max(20, $0 - start.columnCount)) } ?? url))
        }
        var rest = limit
        for (text, matches) in found where !matches.isEmpty && rest > 0 {
            let isBody = text.name.hasSuffix("body")
            let lines = isBody && context > 0 ? text.text.allLines : []
            let shown = Array(matches.prefix(rest))
            rest -= shown.count
            if list == nil {
                try write(TextExcerpt.excerpts(of: shown, in: text.text, merging: true), of: text, isBody, lines)
            } else {
                for excerpt in TextExcerpt.excerpts(of: shown, in: text.text) {
                    let object = json(excerpt, text.name, index, isBody ? lines : nil)
                    try list?.append(object)
                }
            }
        }
        let count = found.reduce(0) { $0 + $1.1.count }
        if list == nil, count > limit {
            try output.line("    … \((count - limit).of("more match", "more matches")); list them with --limit")
        }
    }

    private func json(_ excerpt: TextExcerpt, _ part: String, _ index: Int, _ lines: [Substring]?) -> JSONValue {
        var object: JSONObject = [
            "index": .integer(index), "part": .text(part), "line": .integer(excerpt.line),
            "column": .integer(excerpt.column), "before": .text(excerpt.before), "match": .text(excerpt.match),
            "after": .text(excerpt.after),
        ]
        if context > 0, let lines {
            let (before, after) = (lines.prefix(excerpt.line - 1), lines.dropFirst(excerpt.lastLine))
            object["linesBefore"] = .array(before.suffix(context).map { .text(Self.shortened($0)) })
            object["linesAfter"] = .array(after.prefix(context).map { .text(Self.shortened($0)) })
        }
        return .object(object)
    }

    /// Returns the start of a line that has no match.
    private static func shortened(_ line: Substring) -> String {
        let start = line.prefix(151)
        return start.count > 150 ? start.prefix(149) + "…" : String(start)
    }

    /// Writes the lines with matches, and each line around them once.
    private func write(
        _ excerpts: [TextExcerpt], of text: EntryText, _ isBody: Bool, _ lines: [Substring]
    ) throws(HARError) {
        // The number of lines that were written or skipped.
        var position = 0
        for (number, excerpt) in excerpts.enumerated() {
            let first = max(position, excerpt.line - 1 - context)
            if !lines.isEmpty, number > 0, first > position { try output.line("      --") }
            try write(lines, from: first, to: excerpt.line - 1)
            try write(excerpt, "    \(text.name)" + (isBody ? ":\(excerpt.line)" : "") + ": ")
            position = max(position, excerpt.lastLine)
            let next = number + 1 < excerpts.count ? excerpts[number + 1].line - 1 : lines.count
            let end = min(excerpt.lastLine.adding(clamping: context), next)
            try write(lines, from: position, to: end)
            position = max(position, end)
        }
    }

    private func write(_ lines: [Substring], from start: Int, to end: Int) throws(HARError) {
        guard start < min(end, lines.count) else { return }
        for line in lines[start..<min(end, lines.count)] { try output.line("      \(Self.shortened(line).printable)") }
    }

    private func write(_ excerpt: TextExcerpt, _ label: String) throws(HARError) {
        let shown = excerpt.parts.map { part in
            // Without its control characters, the text cannot change the color.
            output.colored(Self.onOneLine(part.text).printable, part.isMatch ? "1;31" : nil)
        }
        try output.line(label, raw: shown.joined(), "")
    }

    /// Returns a text with symbols in place of line breaks, which a match with a regular expression can contain.
    private static func onOneLine(_ text: String) -> String {
        text.contains(where: \.endsLine) ? String(text.map { $0.endsLine ? "↵" : $0 }) : text
    }
}
