import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// Finds the entry for a request.
struct EntryMatching {
    /// The maximum number of entries to compare with the request one by one.
    private static let mostCompared = 2000

    /// The maximum number of entries to list.
    private static let mostListed = 20

    let archive: HARArchive

    /// Returns the response to a request of the page.
    func response(to request: ViewRequest) async throws -> JSONValue {
        let named = request.text("matching")
        guard let rules = MatchingName(rawValue: named.isEmpty ? "standard" : named)?.rules else {
            throw ViewError(400, "'\(named)' is not the name of matching rules.")
        }
        var asked = InterceptedRequest(method: request.text("method"), url: request.text("url"))
        guard !asked.method.isEmpty, LiteralURL(asked.url).scheme != nil else {
            throw ViewError(400, "Expected a method and an absolute URL.")
        }
        asked.headers = (request.body["headers"]?.array ?? []).map {
            HeaderField(name: $0["name"]?.text ?? "", value: $0["value"]?.text ?? "")
        }
        asked.body = request.body["body"]?.text.map { Data($0.utf8) }
        var settings = Interceptor.Configuration()
        settings.matching = rules
        settings.missAdvice.namesOptions = true
        let interceptor = Interceptor(playing: [archive], configuration: settings)
        defer { interceptor.stop() }
        return archive.count <= Self.mostCompared
            ? compared(interceptor.explanation(of: asked)) : try await decided(asked, by: interceptor)
    }

    private func compared(_ explanation: MatchExplanation) -> JSONValue {
        let answer = explanation.entries.first(where: \.answers)
        // The entries with the fewest differences are the most useful ones.
        let sorted = explanation.entries.enumerated().sorted { first, second in
            (Self.rank(first.element), first.offset) < (Self.rank(second.element), second.offset)
        }
        let entries = sorted.prefix(Self.mostListed).map { _, entry -> JSONValue in
            [
                "i": .number(entry.index), "request": .text(entry.request), "answers": .bool(entry.answers),
                "differences": .array(Self.differences(entry).map { .text($0) }),
            ]
        }
        let text = answer.map { "Entry \($0.index) answers the request." } ?? "No entry answers the request."
        return ["i": .number(answer?.index), "text": .text(text), "entries": .array(entries)]
    }

    private static func rank(_ entry: MatchExplanation.Entry) -> Int {
        entry.answers ? -1 : entry.verdict == nil ? .max : differences(entry).count
    }

    private static func differences(_ entry: MatchExplanation.Entry) -> [String] {
        guard let verdict = entry.verdict else { return ["cannot be read"] }
        return verdict.isMatch ? [] : verdict.differences.lines
    }

    /// Returns the decision alone, because the archive is too large to compare the request with each entry.
    private func decided(_ request: InterceptedRequest, by interceptor: Interceptor) async throws -> JSONValue {
        let decision = await withCheckedContinuation { continuation in
            interceptor.decide(on: request, for: .server, unless: { false }) { continuation.resume(returning: $0) }
        }
        if case .archive(_, let index) = decision.source {
            return ["i": .number(index), "text": .text("Entry \(index) answers the request."), "entries": []]
        }
        var reason = "No entry answers the request."
        if case .failure(let error as RelayError)? = decision.immediateReply?.result { reason = error.message }
        return ["i": nil, "text": .text(reason), "entries": []]
    }
}
