import ArgumentParser
import Foundation
import HTTPArchive

/// `har search`: finds text in entries.
struct SearchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find text in URLs, header fields, cookies, bodies and messages.",
        discussion: """
            Bodies are decoded first: Base64, content codings, charsets and body files. Binary bodies, such as images, \
            are not searched. URLs are also searched in their percent-decoded form, and cookies as name=value, unless a \
            header field contains the same text. The case of letters is ignored, unless --match-case is given.

            Prints each entry with a match, and below it each match with its part, line number and surrounding text. \
            With --json, prints one object for each match: index, part, line, column, before, match and after.

            The exit status is 0 if there is a match, 1 if there is no match, and 2 if an error occurs or a body file \
            cannot be read.

            Example: har search page.har 'sold out'
            Example: har search page.har --in body --type json --regex '"price": *0'
            Example: har search page.har token --count
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

    @Option(name: .shortAndLong, help: "The number of lines of bodies to print before and after each match.")
    var context = 0

    @OptionGroup(title: "Conditions")
    var conditions: FilterOptions

    @OptionGroup var sizes: SizeOptions

    func validate() throws {
        if text.isEmpty { throw ValidationError("the text to find must not be empty") }
        if json, count { throw ValidationError("--json cannot be used with --count") }
        if context < 0 { throw ValidationError("--context must not be negative") }
        _ = try query
    }

    private var query: TextQuery {
        get throws {
            try regex
                ? TextQuery(regularExpression: text, matchesCase: matchCase)
                : TextQuery(text: text, matchesCase: matchCase)
        }
    }

    func run() throws {
        var found = 0
        do {
            found = try search()
        } catch let error as HARError {
            StandardError.error(error)
            throw ExitCode(2)
        }
        if !UnreadBodies.isEmpty { throw ExitCode(2) }
        if found == 0 { throw ExitCode.failure }
    }

    /// Prints the matches, and returns the number of entries with a match.
    private func search() throws -> Int {
        let query = try query
        let folder = sizes.folder(of: file)
        let parts = parts?.parts ?? Set(SearchedPart.allCases)
        let output = StandardOutput()
        let list = try json ? JSONList(to: output) : nil
        var report = SearchReport(to: output, list: list, context: context)
        var found = 0
        var failure: HARError?
        do throws(HARError) {
            let selection = SelectedEntries(of: file, sizes, filter: conditions.filter(in: folder))
            try selection.forEach(mayContain: query, isQuiet: output.isTerminal) { entry, index throws(HARError) in
                let texts = try EntryText.texts(of: entry.entry, at: index, in: parts, bodiesIn: folder)
                let matches: [[Range<String.Index>]]
                do throws(HARError) {
                    matches = try texts.map { text throws(HARError) in
                        try query.matches(in: text.text, limit: count ? 1 : .max)
                    }
                } catch {
                    failure = failure ?? error.located(file: file.name, entry: index)
                    return
                }
                guard matches.contains(where: { !$0.isEmpty }) else { return }
                found += 1
                if !count { try report.add(Array(zip(texts, matches)), in: entry, at: index) }
            }
        } catch {
            failure = failure ?? error
        }
        if count { try output.line(String(found)) }
        try report.finish()
        try output.flush()
        if let failure { throw failure }
        return found
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
    private let output: StandardOutput
    private var list: JSONList?
    private let context: Int
    private let hasColors = Terminal.hasColors(STDOUT_FILENO)

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - output: The output.
    ///   - list: The JSON list to write to; nil for text.
    ///   - context: The number of lines of bodies before and after each match.
    init(to output: StandardOutput, list: JSONList?, context: Int) {
        self.output = output
        self.list = list
        self.context = context
    }

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
            try output.line("\(index) \(method) \(entry.status) \(entry.url.printable.shortened(to: 150))")
        }
        for (text, matches) in found where !matches.isEmpty {
            let isBody = text.name.hasSuffix("body")
            let lines =
                isBody && context > 0
                ? text.text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) : []
            for excerpt in TextExcerpt.excerpts(of: matches, in: text.text) {
                if list != nil {
                    try list?.append(Self.json(excerpt, text.name, index))
                } else {
                    let label = "    \(text.name)" + (isBody ? ":\(excerpt.line)" : "") + ": "
                    try write(excerpt, label, in: lines)
                }
            }
        }
    }

    private static func json(_ excerpt: TextExcerpt, _ part: String, _ index: Int) -> JSONValue {
        [
            "index": .integer(index), "part": .text(part), "line": .integer(excerpt.line),
            "column": .integer(excerpt.column), "before": .text(excerpt.before), "match": .text(excerpt.match),
            "after": .text(excerpt.after),
        ]
    }

    /// Writes a match after a label, between the lines around it.
    private func write(_ excerpt: TextExcerpt, _ label: String, in lines: [Substring]) throws(HARError) {
        for number in lines.indices.prefix(excerpt.line - 1).suffix(context) {
            try output.line("      \(String(lines[number].prefix(151)).printable(upTo: 150))")
        }
        let (before, match, after) = (excerpt.before.printable, excerpt.match.printable, excerpt.after.printable)
        if hasColors {
            try output.line(label + before, highlighting: match, after)
        } else {
            try output.line(label + before + match + after)
        }
        for number in lines.indices.dropFirst(excerpt.line).prefix(context) {
            try output.line("      \(String(lines[number].prefix(151)).printable(upTo: 150))")
        }
    }

    /// Writes the end of a JSON list.
    func finish() throws(HARError) { try list?.finish() }
}
