extension [MatchDifference] {
    /// How many differences are listed.
    private static let limit = 6

    /// The lines of a message: why an entry does not match.
    var lines: [String] {
        var lines: [String] = []
        var part: String?
        for difference in prefix(Self.limit) {
            lines += difference.lines(isPartNamed: difference.part == part)
            part = difference.part
        }
        if count > Self.limit { lines.append("    … and \(count - Self.limit) more") }
        if isEmpty { lines.append("    does not match") }
        return lines
    }
}

extension MatchDifference {
    /// What was recorded, above what was asked.
    fileprivate func lines(isPartNamed: Bool) -> [String] {
        let part = isPartNamed ? "" : MessageText.line(part, width: 12)
        var margin = "    " + part + String(repeating: " ", count: max(9 - part.count, 1))
        var signs = [("-", recorded), ("+", asked)]
        if recorded == asked { signs = [("~", recorded ?? "")] }
        return signs.compactMap { sign, text in
            guard let text else { return nil }
            let start = margin + sign + " "
            margin = String(repeating: " ", count: margin.count)
            return start + MessageText.line(text, width: MessageText.width - start.count)
        }
    }
}
