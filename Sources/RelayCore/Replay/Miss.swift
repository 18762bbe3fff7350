import HTTPArchive

/// A request that no entry answers.
struct Miss {
    /// An archive in which it was looked for.
    struct Archive {
        let entries: ReplaySource

        /// The entry that would answer if it were not used up.
        let usedUp: Int?
    }

    /// The number of entries that a message names.
    private static let nearestCount = 3

    /// The request as it was asked.
    private let request: ComparedRequest

    private let messages: MessageRedaction
    private let archives: [Archive]
    private let plan: MatchingPlan
    private let nearest: [NearestEntry]

    /// Finds the nearest entries.
    ///
    /// - Parameters:
    ///   - request: The request as it was asked.
    ///   - redacted: The request as redacted archives have it; `nil` where that is the same.
    ///   - archives: Where it was looked for.
    ///   - plan: How entries are chosen.
    ///   - messages: What shows requests.
    /// - Complexity: O(*n*) in the number of entries, of which a dozen is read.
    init(
        request: ComparedRequest, redacted: ComparedRequest?, archives: [Archive], plan: MatchingPlan,
        messages: MessageRedaction
    ) {
        self.request = request
        self.messages = messages
        self.archives = archives
        self.plan = plan
        guard !plan.playsInRecordedOrder else {
            nearest = []
            return
        }
        var likely = LikelyEntries(redacted ?? request, rule: plan.key)
        for (place, archive) in archives.enumerated() {
            for index in 0..<archive.entries.count {
                let (method, url) = archive.entries.request(index)
                likely.consider(index, of: place, method: method, url: url)
            }
        }
        func near(_ index: Int, archive: Int, isUsedUp: Bool) -> NearestEntry {
            NearestEntry(
                index, of: archives[archive].entries, archive: archive,
                forms: [request] + (redacted.map { [$0] } ?? []),
                plan: plan, messages: messages, isUsedUp: isUsedUp)
        }
        var found: [NearestEntry] = []
        for (place, archive) in archives.enumerated() {
            guard let entry = archive.usedUp else { continue }
            found.append(near(entry, archive: place, isUsedUp: true))
        }
        for entry in likely.entries {
            let near = near(entry.index, archive: entry.archive, isUsedUp: false)
            if !found.contains(where: near.looksLike) { found.append(near) }
        }
        nearest = Array(found.prefix(Self.nearestCount))
    }

    /// The error that says so.
    var error: RelayError {
        let count = archives.reduce(0) { $0 + $1.entries.count }
        let name = archives.count == 1 ? archives.first?.entries.name : nil
        let place = name == nil ? "the \(archives.count) archives" : "the archive"
        let head = "No entry answers \(MessageText.printable(request.request.method.uppercased())) "
        let url = MessageText.line(
            messages.shown(url: MessageText.url(request.url)), width: MessageText.width - head.count - 1)
        var lines = [head + url + "."]
        if archives.isEmpty {
            lines.append("No rule is for it, and there is no archive.")
        } else if count == 0 {
            lines.append(name == nil ? "None of \(place) has entries." : "The archive has no entries.")
        } else if plan.playsInRecordedOrder {
            lines.append("All \(count) entries of \(place) were given, in the order recorded.")
        } else if nearest.isEmpty {
            lines.append("None of the \(count) entries of \(place) is of that host or path.")
        } else {
            lines.append("Nearest of the \(count) entries of \(place) (- recorded, + asked, ~ other value):")
            for near in nearest {
                lines += near.lines(archive: name == nil ? archives[near.archive].entries.name : nil)
            }
        }
        return RelayError(.noMatchingEntry, lines.joined(separator: "\n"), at: .init(file: name))
    }
}

/// An entry that nearly answers a request, and why it does not.
struct NearestEntry {
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
        _ index: Int, of source: ReplaySource, archive: Int, forms: [ComparedRequest], plan: MatchingPlan,
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
    func looksLike(_ other: NearestEntry) -> Bool {
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
