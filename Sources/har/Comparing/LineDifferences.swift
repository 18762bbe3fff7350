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

    /// The maximum number of lines for which the smallest difference is computed.
    ///
    /// Equal lines at the beginnings and the ends of the texts do not count. Of longer texts, lines with the same number
    /// are compared.
    private static let alignmentLimit = 2000

    /// The maximum number of lines that are kept.
    private static let limit = 1000

    /// Compares two texts, ignoring the kind of line breaks.
    ///
    /// - Parameters:
    ///   - first: The first text.
    ///   - second: The second text.
    /// - Complexity: O(*n*) in the length of the texts, plus the time for aligning a limited number of lines.
    init(_ first: String, _ second: String) {
        let texts = (Self.lines(of: first), Self.lines(of: second))
        let start = zip(texts.0, texts.1).prefix { $0 == $1 }.count
        let rest = (texts.0[start...], texts.1[start...])
        let end = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.count
        let middle = (rest.0.dropLast(end), rest.1.dropLast(end))
        lines =
            middle.0.count + middle.1.count <= Self.alignmentLimit
            ? Self.aligned(Array(middle.0), Array(middle.1), after: start)
            : Self.numbered(middle.0, middle.1)
    }

    private static func lines(of text: String) -> [Substring] {
        text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
        }
    }

    /// Compares lines with the same number.
    private static func numbered(_ first: ArraySlice<Substring>, _ second: ArraySlice<Substring>) -> [Line] {
        var lines: [Line] = []
        for index in first.startIndex..<max(first.endIndex, second.endIndex) where lines.count < limit {
            let pair = (
                index < first.endIndex ? first[index] : nil, index < second.endIndex ? second[index] : nil
            )
            if pair.0 != pair.1 { lines.append(Line(number: index + 1, first: pair.0, second: pair.1)) }
        }
        return lines
    }

    /// Finds the removed and the added lines, and pairs those at the same position as changed lines.
    private static func aligned(_ first: [Substring], _ second: [Substring], after start: Int) -> [Line] {
        let difference = second.difference(from: first)
        let removed = Set(difference.removals.map(\.offset))
        let added = Set(difference.insertions.map(\.offset))
        var lines: [Line] = []
        var (here, there) = (0, 0)
        while here < first.count || there < second.count, lines.count < limit {
            let isRemoved = removed.contains(here)
            let isAdded = added.contains(there)
            if !isRemoved, !isAdded {
                here += 1
                there += 1
                continue
            }
            lines.append(
                Line(
                    number: start + 1 + (isRemoved ? here : there), first: isRemoved ? first[here] : nil,
                    second: isAdded ? second[there] : nil))
            if isRemoved { here += 1 }
            if isAdded { there += 1 }
        }
        return lines
    }
}

extension CollectionDifference.Change {
    /// The offset in the text before or after the change.
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
