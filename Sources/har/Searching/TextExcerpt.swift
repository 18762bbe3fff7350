import Foundation

/// A line of a text with a match, shortened around the match.
struct TextExcerpt {
    /// The line number, from 1.
    let line: Int

    /// The column of the match in characters, from 1.
    let column: Int

    /// The line in three parts: the text before the match, the match, and the text after it.
    ///
    /// Long parts are shortened.
    let before: String
    let match: String
    let after: String

    /// The maximum number of characters on each side of a match.
    private static let reach = 60

    /// The maximum number of characters of a match.
    private static let longest = 200

    /// Returns the excerpts of the matches in a text.
    ///
    /// - Parameters:
    ///   - matches: The ranges of the matches, in order.
    ///   - text: The text.
    /// - Returns: An excerpt for each match.
    /// - Complexity: O(*n*) in the length of the text.
    static func excerpts(of matches: [Range<String.Index>], in text: String) -> [TextExcerpt] {
        var excerpts: [TextExcerpt] = []
        var line = 1
        var lineStart = text.startIndex
        var column = 1
        var position = text.startIndex
        for match in matches {
            for index in text[position..<match.lowerBound].indices {
                column += 1
                guard text[index].endsLine else { continue }
                lineStart = text.index(after: index)
                line += 1
                column = 1
            }
            position = match.lowerBound
            let before = text[lineStart..<match.lowerBound].suffix(reach + 1)
            let after = text[match.upperBound...].prefix(reach + 1).prefix { !$0.endsLine }
            excerpts.append(
                TextExcerpt(
                    line: line, column: column,
                    before: before.count > reach ? "…" + before.suffix(reach) : String(before),
                    match: String(text[match].prefix(longest)),
                    after: after.count > reach ? after.prefix(reach) + "…" : String(after)))
        }
        return excerpts
    }
}
