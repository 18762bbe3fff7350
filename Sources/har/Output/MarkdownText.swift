import HTTPArchive

/// Text from archives in GitHub Flavored Markdown, in which it cannot be read as markup or as a mention.
enum MarkdownText {
    /// Returns text as a code span on one line.
    static func code(_ text: String) -> String {
        let line = text.printable
        guard !line.isEmpty else { return "" }
        let ticks = String(repeating: "`", count: longestRun(in: line) + 1)
        let space = line.utf8.first == UInt8(ascii: "`") || line.utf8.last == UInt8(ascii: "`") ? " " : ""
        return ticks + space + line + space + ticks
    }

    /// Returns text on one line without markup.
    static func plain(_ text: String) -> String {
        escaped(text.printable, "\\`*_{}[]<>#|!~&")
    }

    /// Returns text with special characters escaped by backslashes, even if a combining mark follows them.
    static func escaped(_ text: String, _ special: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            if special.unicodeScalars.contains(scalar) { result += "\\" }
            result.unicodeScalars.append(scalar)
        }
    }

    /// Returns the length of the longest sequence of backticks.
    static func longestRun(in text: String) -> Int {
        var longest = 0
        var run = 0
        for byte in text.utf8 {
            run = byte == UInt8(ascii: "`") ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }
}
