/// The lines in which two texts differ.
struct LineDifferences {
    /// A line that differs.
    struct Line {
        /// The number of the line, from 1: in the first text, or in the second text if the line was added.
        let number: Int

        /// The line in the first text, or nil if it was added.
        let first: Substring?

        /// The line in the second text, or nil if it was removed.
        let second: Substring?
    }

    /// The lines, in order.
    let lines: [Line]

    /// The maximum number of lines that are kept.
    private static let limit = 1000

    /// Compares two texts, ignoring the kind of line breaks.
    ///
    /// - Parameters:
    ///   - first: The first text.
    ///   - second: The second text.
    /// - Complexity: O(*n* log *n*) in the number of lines, plus the time for aligning a limited number of lines.
    init(_ first: String, _ second: String) {
        let texts = (Self.lines(of: first), Self.lines(of: second))
        lines = Alignment(texts.0, texts.1).steps().prefix(Self.limit).map { step in
            Line(
                number: (step.first ?? step.second ?? 0) + 1, first: step.first.map { texts.0[$0].text },
                second: step.second.map { texts.1[$0].text })
        }
    }

    /// A line that is compared by its bytes.
    private struct Key: Hashable {
        let text: Substring

        static func == (first: Self, second: Self) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

        func hash(into hasher: inout Hasher) {
            let isHashed: Void? = text.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: .init($0)) }
            if isHashed == nil { for byte in text.utf8 { hasher.combine(byte) } }
        }
    }

    private static func lines(of text: String) -> [Key] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Key(text: Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
        }
    }
}
