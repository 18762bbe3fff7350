/// An explanation of why each archive entry matches or does not match a request.
///
/// ```swift
/// print(interceptor.explanation(of: InterceptedRequest(url: "http://a/users?page=2")))
/// ```
public struct MatchExplanation: Sendable, CustomStringConvertible {
    /// An entry and the result of comparing it with the request.
    public struct Entry: Sendable {
        /// The name of the archive, as shown in messages.
        public let archive: String

        /// The index of the entry in its archive, from 0.
        public let index: Int

        /// The method and URL of the entry, without secrets.
        public let request: String

        /// The result of the required matchers, including any differences, or `nil` if the entry cannot be read.
        public let verdict: MatchVerdict?

        /// Whether the entry has already been replayed.
        public let wasUsed: Bool

        /// Whether this entry is selected to answer the request.
        public let answers: Bool
    }

    /// The method and URL of the request, without secrets.
    public let request: String

    /// The entries of all archives, in order.
    public let entries: [Entry]

    /// A list of all entries and their differences.
    ///
    /// Each difference is marked with `-` for the recorded value, `+` for the requested value, or `~` if the values are
    /// not shown.
    public var description: String {
        var lines = ["\(request) compared with all entries (- recorded, + requested, ~ differs):"]
        var archive: String?
        for entry in entries {
            if entry.archive != archive { lines.append(entry.archive) }
            archive = entry.archive
            let label = "  entry \(entry.index)  "
            lines.append(label + MessageText.line(entry.request, width: MessageText.width - label.count))
            lines += entry.reason
        }
        return lines.joined(separator: "\n")
    }
}

extension MatchExplanation.Entry {
    fileprivate var reason: [String] {
        guard let verdict else { return ["    cannot be read"] }
        guard verdict.isMatch else { return verdict.differences.lines }
        if answers { return ["    matches, and answers the request"] }
        return [wasUsed ? "    matches, but was already replayed" : "    matches, but another entry has precedence"]
    }
}

extension ArchiveLayers {
    /// Compares a request with all entries.
    func explanation(of request: InterceptedRequest) -> MatchExplanation {
        var requested = RequestLookup(request, plan: plan, redaction: redaction)
        let forms = requested.forms.map { $0.shown(by: messages) }
        var entries: [MatchExplanation.Entry] = []
        var isAnswered = false
        for player in players {
            let turn = isAnswered ? nil : player.turn(for: &requested)
            if turn != nil { isAnswered = true }
            entries += player.compared(with: forms, turn: turn)
        }
        let shown = messages.request(request.method, request.url)
        return MatchExplanation(request: shown, entries: entries)
    }
}
