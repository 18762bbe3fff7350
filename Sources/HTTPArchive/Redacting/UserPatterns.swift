import Foundation

/// The regular expressions of a user.
struct UserPatterns: Sendable {
    /// The largest piece of a text that is searched at once, in UTF-16 units.
    private static let pieceSize = 1 << 20

    /// How much of a piece is searched again with the next one.
    private static let overlap = 1 << 12

    private let expressions: [NSRegularExpression]

    /// Whether there are none.
    var isEmpty: Bool { expressions.isEmpty }

    /// Compiles expressions.
    ///
    /// - Throws: `invalidRule` for what is none.
    init(_ patterns: [String]) throws(HARError) {
        var expressions: [NSRegularExpression] = []
        for (index, pattern) in patterns.enumerated() {
            do {
                expressions.append(try NSRegularExpression(pattern: pattern))
            } catch {
                throw HARError(
                    .invalidRule,
                    "The pattern of a secret, number \(index + 1), is no regular expression; see "
                        + "https://unicode-org.github.io/icu/userguide/strings/regexp.html.")
            }
        }
        self.expressions = expressions
    }

    /// Where secrets stand in a text; none in bytes that are no text.
    func places(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard !isEmpty, let string = String(validating: text, as: UTF8.self) else { return [] }
        let units = NSString(string: string)
        var ranges: [NSRange] = []
        for expression in expressions {
            var start = 0
            while start < units.length {
                let end = min(start + Self.pieceSize, units.length)
                for match in expression.matches(in: string, range: NSRange(location: start, length: end - start)) {
                    let group = match.numberOfRanges > 1 ? match.range(at: 1) : match.range
                    if group.location != NSNotFound, group.length > 0 { ranges.append(group) }
                }
                start = end == units.length ? end : max(start + 1, end - Self.overlap)
            }
        }
        return ranges.compactMap { range in
            guard let range = Range(range, in: string) else { return nil }
            // Native strings know the distance from their start at once.
            return range.lowerBound.encodedOffset(in: string)..<range.upperBound.encodedOffset(in: string)
        }
    }
}

extension String.Index {
    /// The number of bytes of UTF-8 before the place.
    fileprivate func encodedOffset(in string: String) -> Int {
        string.utf8.distance(from: string.startIndex, to: self)
    }
}
