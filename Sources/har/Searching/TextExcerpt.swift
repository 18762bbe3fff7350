import Foundation

/// A line of a text with a match, shortened around the match.
struct TextExcerpt {
    /// A part of the line, and whether it is a match.
    typealias Part = (text: String, isMatch: Bool)

    /// The number of the line in which the match begins, from 1.
    let line: Int

    /// The number of the line in which the match ends.
    private(set) var lastLine: Int

    /// The column of the match in characters, from 1.
    let column: Int

    /// The text before the match, the match, and the text after it, and possibly more matches.
    ///
    /// Long parts are shortened.
    private(set) var parts: [Part]

    /// The text before the match.
    var before: String { parts[0].text }

    /// The match.
    var match: String { parts[1].text }

    /// The text after the match.
    var after: String { parts[2].text }

    /// The maximum number of characters on each side of a match.
    private static let reach = 60

    /// The maximum number of characters of a match.
    private static let longest = 200

    /// The maximum number of matches in an excerpt, because a line can be long.
    private static let maximumMatchCount = 100

    /// Returns the excerpts of the matches in a text.
    ///
    /// - Parameters:
    ///   - matches: The ranges of the matches, in order.
    ///   - text: The text.
    ///   - merging: Whether neighboring matches in a line share an excerpt; `false` by default.
    /// - Returns: The excerpts.
    /// - Complexity: O(*n*) in the length of the text.
    static func excerpts(
        of matches: [Range<String.Index>], in text: String, merging: Bool = false
    ) -> [TextExcerpt] {
        var excerpts: [TextExcerpt] = []
        var line = 1
        var lineStart = text.startIndex
        var column = 1
        var position = text.startIndex
        for (number, match) in matches.map({ withWholeLineBreak($0, in: text) }).enumerated() {
            let skipped = text[position..<match.lowerBound]
            for index in skipped.indices {
                column += 1
                guard skipped[index].endsLine else { continue }
                lineStart = skipped.index(after: index)
                line += 1
                column = 1
            }
            position = match.lowerBound
            let found = text[match]
            let shown: Part = (text: String(found.prefix(longest)), isMatch: true)
            let rest = text[match.upperBound...].prefix(reach + 1).prefix { !$0.endsLine }
            let after: Part = (text: rest.count > reach ? rest.prefix(reach) + "…" : String(rest), isMatch: false)
            let lastLine = line + found.count(where: \.endsLine)
            if merging, number > 0, let last = excerpts.last, last.lastLine == line,
                last.parts.count / 2 < maximumMatchCount,
                let gap = gap(from: matches[number - 1].upperBound, to: match.lowerBound, in: text)
            {
                excerpts[excerpts.count - 1].parts.removeLast()
                excerpts[excerpts.count - 1].parts += [(text: String(gap), isMatch: false), shown, after]
                excerpts[excerpts.count - 1].lastLine = lastLine
                continue
            }
            let before = text[lineStart..<match.lowerBound].suffix(reach + 1)
            let start = before.count > reach ? "…" + before.suffix(reach) : String(before)
            excerpts.append(
                TextExcerpt(
                    line: line, lastLine: lastLine, column: column,
                    parts: [(text: start, isMatch: false), shown, after]))
        }
        return excerpts
    }

    /// Returns the range of a match that begins with a line feed, including the carriage return before it.
    private static func withWholeLineBreak(_ match: Range<String.Index>, in text: String) -> Range<String.Index> {
        let scalars = text.unicodeScalars
        guard match.lowerBound > text.startIndex, match.lowerBound < text.endIndex, scalars[match.lowerBound] == "\n"
        else { return match }
        let before = scalars.index(before: match.lowerBound)
        return scalars[before] == "\r" ? before..<match.upperBound : match
    }

    /// Returns the text between two matches, or nil if it is longer than the text that is shown around them.
    private static func gap(from start: String.Index, to end: String.Index, in text: String) -> Substring? {
        guard start <= end else { return nil }
        let limit = text.index(start, offsetBy: 2 * reach, limitedBy: end)
        return limit == nil || limit == end ? text[start..<end] : nil
    }
}
