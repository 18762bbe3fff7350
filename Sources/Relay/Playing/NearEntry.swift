import HTTPArchive

/// An entry that nearly answers a request, and why it does not.
struct NearEntry {
    /// How many differences are listed.
    private static let differenceLimit = 6

    /// The place of the archive among several.
    let archive: Int

    private let index: Int
    private let request: String
    private let reason: Reason

    private enum Reason: Equatable {
        case usedUp(RequestMatching.Repetition)
        case unreadable
        case differences([MatchDifference])
    }

    /// Reads an entry, and compares it by all required matchers with the form of a request that it is most like.
    init(
        _ index: Int, of source: PlayedEntries, archive: Int, forms: [ComparedRequest], plan: MatchingPlan,
        messages: MessageRedaction, isUsedUp: Bool
    ) {
        self.archive = archive
        self.index = index
        let (method, url) = source.request(index)
        request = messages.shown(url: MessageText.request(method, HARRedactor.withoutKeys(url)))
        let recorded = RecordedRequest(index, of: source, withBody: plan.readsBodies).compared
        let verdict = recorded.flatMap { recorded in
            forms.map { plan.required.verdict(asked: $0, recorded: recorded) }
                .min { ($0.isMatch ? 0 : 1, $0.differences.count) < ($1.isMatch ? 0 : 1, $1.differences.count) }
        }
        reason =
            switch verdict {
            case _ where isUsedUp: .usedUp(plan.repetition)
            case nil: .unreadable
            case let verdict? where verdict.isMatch: .usedUp(plan.repetition)
            case let verdict?: .differences(verdict.differences.map(messages.shown))
            }
    }

    /// Whether nothing but the entry's number tells it apart from another.
    func looksLike(_ other: NearEntry) -> Bool {
        archive == other.archive && request == other.request && reason == other.reason
    }

    /// The lines of a message.
    ///
    /// - Parameter archive: What messages call the archive, where there are several.
    /// - Returns: The entry's request, and why it does not answer.
    func lines(archive: String?) -> [String] {
        let place = archive.map { "  \(MessageText.line($0, width: 30)), entry \(index)  " } ?? "  entry \(index)  "
        var lines = [place + MessageText.line(request, width: MessageText.width - place.count)]
        switch reason {
        case .usedUp(let repetition): lines.append("    matches, but is used up (repetition: \(repetition))")
        case .unreadable: lines.append("    cannot be read")
        case .differences(let differences):
            var part: String?
            for difference in differences.prefix(Self.differenceLimit) {
                lines += Self.lines(difference, isPartNamed: difference.part == part)
                part = difference.part
            }
            let more = differences.count - Self.differenceLimit
            if more > 0 { lines.append("    … and \(more) more") }
            if differences.isEmpty { lines.append("    does not match") }
        }
        return lines
    }

    /// A difference: what was recorded above what was asked.
    private static func lines(_ difference: MatchDifference, isPartNamed: Bool) -> [String] {
        let part = isPartNamed ? "" : MessageText.line(difference.part, width: 12)
        var margin = "    " + part + String(repeating: " ", count: max(9 - part.count, 1))
        var signs = [("-", difference.recorded), ("+", difference.asked)]
        if difference.recorded == difference.asked { signs = [("~", difference.recorded ?? "")] }
        return signs.compactMap { sign, text in
            guard let text else { return nil }
            let start = margin + sign + " "
            margin = String(repeating: " ", count: margin.count)
            return start + MessageText.line(text, width: MessageText.width - start.count)
        }
    }
}
