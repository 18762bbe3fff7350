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
    /// - Complexity: O(*n*) in the length of the text, plus the length of a line for each match.
    static func excerpts(of matches: [Range<String.Index>], in text: String) -> [TextExcerpt] {
        var excerpts: [TextExcerpt] = []
        var line = 1
        var lineStart = text.startIndex
        for match in matches {
            while let end = text[lineStart..<match.lowerBound].firstIndex(where: \.isNewline) {
                lineStart = text.index(after: end)
                line += 1
            }
            let before = text[lineStart..<match.lowerBound]
            let after = text[match.upperBound...].prefix(reach + 1).prefix { !$0.isNewline }
            excerpts.append(
                TextExcerpt(
                    line: line, column: before.count + 1,
                    before: before.count > reach ? "…" + before.suffix(reach) : String(before),
                    match: String(text[match].prefix(longest)),
                    after: after.count > reach ? after.prefix(reach) + "…" : String(after)))
        }
        return excerpts
    }
}
