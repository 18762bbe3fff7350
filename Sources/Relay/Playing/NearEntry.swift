import HTTPArchive

/// An entry that nearly answers a request, and why it does not.
struct NearEntry {
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
        let verdict = recorded.map { plan.required.verdict(of: forms, recorded: $0) }
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
            lines += differences.lines
        }
        return lines
    }
}
