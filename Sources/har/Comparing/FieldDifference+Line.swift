import ArchiveInspection
import HTTPArchive

extension FieldDifference {
    /// The difference as a line of text, with shortened values.
    var line: String {
        let label = name.map { "\(part) \($0.printable):" } ?? part
        switch (firstText, secondText) {
        case (let first?, let second?) where first == second:
            // A secret in Base64 has no visible placeholder.
            let offset = Self.secretOffset(in: first) ?? 0
            let start = first.utf8.count > Self.width ? max(0, offset - Self.context) : 0
            return "\(label) \(Self.excerpt(of: first, from: start)) (only a secret differs)"
        case (let first?, let second?):
            let (first, second) = Self.excerpts(of: first, and: second)
            return "\(label) \(first) → \(second)"
        case (let first?, nil): return "- \(label) \(Self.excerpt(of: first))"
        case (nil, let second?): return "+ \(label) \(Self.excerpt(of: second))"
        case (nil, nil): return label
        }
    }

    /// Returns the offset of the first placeholder in bytes, or nil if the text has none.
    private static func secretOffset(in text: String) -> Int? {
        (text.firstRange(of: MessageRedactor.mask) ?? text.firstRange(of: "REDACTED")).map {
            text.utf8.distance(from: text.startIndex, to: $0.lowerBound)
        }
    }

    /// The maximum length of a value, in characters.
    private static let width = 80

    /// The number of equal characters before the first difference that remain in a shortened value.
    private static let context = 20

    /// Returns the values, shortened so that the first difference is visible.
    private static func excerpts(of first: String, and second: String) -> (String, String) {
        let common = commonSize(first, second)
        let isLong = max(first.utf8.count, second.utf8.count) > width
        let start = isLong && common > width / 2 ? common - context : 0
        return (excerpt(of: first, from: start), excerpt(of: second, from: start))
    }

    /// Returns the number of equal bytes at the start of two texts.
    private static func commonSize(_ first: String, _ second: String) -> Int {
        var (first, second) = (first, second)
        return first.withUTF8 { first in
            second.withUTF8 { second in
                let size = min(first.count, second.count)
                return (0..<size).first { first[$0] != second[$0] } ?? size
            }
        }
    }

    /// Returns the printable start of a text.
    ///
    /// - Parameters:
    ///   - text: The text, which can be long.
    ///   - offset: The number of bytes to skip; 0 by default.
    /// - Returns: At most as many characters as the maximum length of a value.
    private static func excerpt(of text: String, from offset: Int = 0) -> String {
        var start = text.utf8.index(text.startIndex, offsetBy: offset)
        while start.samePosition(in: text.unicodeScalars) == nil { start = text.utf8.index(before: start) }
        var end = text.utf8.index(start, offsetBy: 8 * width, limitedBy: text.endIndex) ?? text.endIndex
        while end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
        let part = text[start..<end]
        return offset > 0 ? "…" + part.printable(upTo: width - 1) : part.printable(upTo: width)
    }
}
