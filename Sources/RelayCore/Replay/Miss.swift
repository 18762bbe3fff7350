import HTTPArchive

/// A rule that is similar to a request but does not apply to it.
struct SimilarRule: Sendable {
    /// The description of the rule's pattern.
    let pattern: String

    /// The reason why the rule does not apply, in full sentences.
    let reason: String
}

extension ArchiveLayers {
    /// The maximum number of nearest entries in a message.
    private static let nearestCount = 3

    /// The maximum total size of the requests and entries that are compared for a message, in bytes.
    private static let comparedSize = 1 << 19

    /// Returns the error for a request without a matching entry.
    ///
    /// Its message lists the nearest rules and entries.
    ///
    /// - Parameters:
    ///   - requested: The request.
    ///   - rules: The nearest rules, with the reasons why they do not match.
    ///   - isBrief: Whether the message does not list the nearest entries.
    /// - Returns: The error.
    /// - Complexity: O(*n*) in the number of entries, up to the limit of ``SimilarEntries``. At most 12 similar entries
    ///   are compared, of a limited total size, and one used-up entry per archive. Usually, only the listed entries are
    ///   read.
    func missError(for requested: inout RequestLookup, rules: [SimilarRule], isBrief: Bool) -> RelayError {
        let nearest = isBrief ? [] : nearestEntries(to: &requested, count: Self.nearestCount)
        let request = requested.request
        let count = players.reduce(0) { $0 + $1.entries.count }
        let name = players.count == 1 ? players.first?.entries.name : nil
        let scope = name == nil ? "the \(players.count) archives" : "the archive"
        let method = MessageText.printable(request.method.uppercased())
        let head = "No \(isEmpty ? "rule" : "entry") matches \(method) "
        let url = MessageText.line(
            messages.url(NormalizedURL(request.url)), width: MessageText.width - head.count - 1)
        var lines = [head + url + "."]
        if !rules.isEmpty {
            lines.append(rules.count == 1 ? "The nearest rule:" : "The nearest rules:")
            for rule in rules {
                lines.append("  " + MessageText.line(rule.pattern, width: MessageText.width - 2))
                lines.append("    \(rule.reason)")
            }
        }
        if isEmpty {
            lines.append("To respond to the request, add a stub, or replay or record an archive.")
        } else if count == 0 {
            lines.append(name == nil ? "None of \(scope) has any entries." : "The archive has no entries.")
        } else if plan.playsInRecordedOrder {
            lines.append(
                (count == 1 ? "The only entry in \(scope) was" : "All \(count) entries in \(scope) were")
                    + " already replayed in recorded order.")
        } else if isBrief {
            lines.append("The nearest entries are not listed, because too many such requests wait.")
        } else if nearest.isEmpty {
            lines.append(
                count == 1
                    ? "The only entry in \(scope) is not similar. Print it with `har entries`."
                    : "None of the \(count) entries in \(scope) is similar. List them with `har entries`.")
        } else {
            let entries = count == 1 ? "The only entry" : "Nearest of \(count) entries"
            lines.append("\(entries) in \(scope) (- recorded, + requested, ~ differs):")
            for near in nearest {
                lines += near.lines(archive: name == nil ? players[near.archive].entries.name : nil)
            }
        }
        lines += advice.lines(for: nearest.first?.differences ?? [], isStandard: plan.isStandard)
        return RelayError(.noMatchingEntry, lines.joined(separator: "\n"), at: .init(file: name))
    }

    /// Returns the entries that are most similar to a request, or none if entries are replayed in recorded order.
    func nearestEntries(to requested: inout RequestLookup, count: Int) -> [NearestEntry] {
        if plan.playsInRecordedOrder { return [] }
        let usedUp = players.map { $0.usedUpEntry(for: &requested) }
        let size = plan.required.readsBodies ? requested.request.byteCount : requested.request.url.utf8.count
        var shown = requested.request
        // Decoding a body takes long.
        if !plan.required.readsBodies || size > Self.comparedSize { shown.body = nil }
        var lookup = RequestLookup(shown, plan: plan, redaction: redaction)
        let request = ComparedRequest(shown)
        // Redacting takes longer than comparing.
        let isShort = requested.request.url.utf8.count <= WorkSize.small.limit && size <= WorkSize.medium.limit
        let redacted = isShort ? lookup.inRedactedArchives()?.compared : nil
        let similar = SimilarEntries(to: redacted ?? request, in: players.map(\.entries), rule: plan.key)
        let forms = [request, redacted].compactMap { $0?.shown(by: messages) }
        var budget = Self.comparedSize
        func reason(_ index: Int, archive: Int) -> NearestEntry.Reason {
            let player = players[archive]
            budget -= size + player.comparedSize(of: index)
            guard budget >= 0 else { return .tooLarge }
            guard let verdict = player.verdict(on: index, with: forms) else { return .unreadable }
            return verdict.isMatch ? .usedUp(plan.repetition) : .differences(verdict.differences)
        }
        func near(_ index: Int, archive: Int, isUsedUp: Bool) -> NearestEntry {
            NearestEntry(
                archive: archive, index: index, request: players[archive].shownRequest(index),
                reason: isUsedUp ? .usedUp(plan.repetition) : reason(index, archive: archive))
        }
        var found = usedUp.enumerated().compactMap { archive, entry in
            entry.map { near($0, archive: archive, isUsedUp: true) }
        }
        for entry in similar.entries where found.count < count {
            let near = near(entry.index, archive: entry.archive, isUsedUp: false)
            if !found.contains(where: near.looksLike) { found.append(near) }
        }
        return Array(found.prefix(count))
    }
}

/// An entry similar to a request, and the reason it does not match.
package struct NearestEntry {
    /// The index of the archive among the searched archives.
    let archive: Int

    /// The entry index.
    package let index: Int

    /// The method and URL of the entry, without secrets.
    package let request: String

    /// The reason why the entry does not match.
    let reason: Reason

    enum Reason: Equatable {
        case usedUp(RequestMatching.Repetition)
        case unreadable
        case tooLarge
        case differences([MatchDifference])
    }

    /// The differences from the request; empty if the entry matches or cannot be read.
    var differences: [MatchDifference] {
        if case .differences(let differences) = reason { differences } else { [] }
    }

    /// Whether this entry differs from another only in its index.
    func looksLike(_ other: NearestEntry) -> Bool {
        archive == other.archive && request == other.request && reason == other.reason
    }

    /// Returns the lines that describe the entry in a message.
    ///
    /// - Parameter archive: The name of the archive, or nil if only one archive was searched.
    /// - Returns: The entry's request and the reason the entry does not match.
    func lines(archive: String?) -> [String] {
        // The message may be for another machine, which must not receive the path of the archive.
        let name = archive.map { MessageText.line(String($0.split(separator: "/").last ?? ""), width: 30) }
        let label = name.map { "  \($0), entry \(index)  " } ?? "  entry \(index)  "
        return [label + MessageText.line(request, width: MessageText.width - label.count)] + explanation
    }

    /// The lines that explain why the entry does not match.
    package var explanation: [String] {
        switch reason {
        case .usedUp(let repetition): ["    matches, but is used up (repetition: \(repetition))"]
        case .unreadable: ["    cannot be read"]
        case .tooLarge: ["    is not compared, because the requests are too large"]
        case .differences(let differences): differences.lines
        }
    }
}

/// The advice in the error message for a miss.
package struct MissAdvice: Sendable, Hashable {
    /// The command that records the missing entry, or nil if the interceptor has no archive to record into.
    package var command: String?

    /// The Swift source code of the setting that accepts misses, or nil outside tests.
    package var acceptance: String?

    /// Whether settings are described as options of `har serve` instead of as Swift source code.
    package var namesOptions: Bool

    /// Creates advice.
    ///
    /// - Parameters:
    ///   - command: The command that records the missing entry; nil by default.
    ///   - acceptance: The setting that accepts misses; nil by default.
    ///   - namesOptions: Whether settings are described as options of `har serve`; `false` by default.
    package init(command: String? = nil, acceptance: String? = nil, namesOptions: Bool = false) {
        self.command = command
        self.acceptance = acceptance
        self.namesOptions = namesOptions
    }

    /// Returns the lines to add to a message.
    ///
    /// - Parameters:
    ///   - differences: The differences between the request and the nearest entry; empty if no entry is similar.
    ///   - isStandard: Whether the required matchers are the standard ones.
    /// - Returns: One line for each suggestion.
    func lines(for differences: [MatchDifference], isStandard: Bool) -> [String] {
        var lines: [String] = []
        if let command { lines.append("To record the request, run: \(command)") }
        // A name is shown completely, because it is part of a setting.
        let areShort = differences.allSatisfy { $0.item?.utf8.count ?? 0 <= MessageText.width }
        let change =
            !areShort
            ? nil
            : namesOptions
                ? Self.options(ignoring: differences).map { "restart the server with \($0)" }
                : Self.matching(ignoring: differences, isStandard: isStandard)
        if let change { lines.append("To ignore the difference, \(change).") }
        if let acceptance { lines.append("To accept misses, pass `\(acceptance)`.") }
        return lines
    }

    /// Returns the change to the matching that ignores all of the given differences, or nil if no change does.
    private static func matching(ignoring differences: [MatchDifference], isStandard: Bool) -> String? {
        let parts = Set(differences.map(\.part))
        if parts.isSubset(of: ["scheme", "host", "port"]), !parts.isEmpty {
            return isStandard
                ? "pass `matching: .anyHost`" : "remove the matchers for scheme, host and port from the matching"
        }
        var ignored: [String: [String]] = [:]
        for difference in differences {
            guard let item = difference.item else { return nil }
            switch difference.part {
            case "query": ignored["queryItems", default: []].append(item)
            case "header": ignored["headers", default: []].append(item)
            case "body" where item.hasPrefix("/"): ignored["json", default: []].append(item)
            // The label of a part without a printable name has a space.
            case "form" where !item.contains(" "), "part" where !item.contains(" "):
                ignored["formFields", default: []].append(item)
            default: return nil
            }
        }
        let arguments = ["queryItems", "headers", "json", "formFields"].compactMap { label in
            ignored[label].map { "\(label): \(Self.list(Set($0).sorted()))" }
        }
        guard !arguments.isEmpty, differences.count <= 5 else { return nil }
        let call = "ignoring(\(arguments.joined(separator: ", ")))"
        return isStandard ? "pass `matching: .standard.\(call)`" : "add `.\(call)` to the matching"
    }

    /// Returns the options of `har serve` that ignore all of the given differences, or nil if no options do.
    private static func options(ignoring differences: [MatchDifference]) -> String? {
        let parts = Set(differences.map(\.part))
        if parts.isSubset(of: ["scheme", "host", "port"]), !parts.isEmpty { return "--matching anyHost" }
        let items = differences.compactMap(\.item)
        guard parts == ["query"], items.count == differences.count, items.count <= 5 else { return nil }
        return Set(items).sorted().map { "--ignore-query \(ShellText.quoted(MessageText.printable($0)))" }
            .joined(separator: " ")
    }

    private static func list(_ items: [String]) -> String {
        "[" + items.map { "\"\(MessageText.escaped($0))\"" }.joined(separator: ", ") + "]"
    }
}
