import Foundation
import HTTPArchive

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
            let lines =
                isBody && context > 0
                ? text.text.split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) : []
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
            let end = min(excerpt.lastLine + context, next)
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

    /// Writes the end of a JSON list.
    func finish() throws(HARError) { try list?.finish() }
}
