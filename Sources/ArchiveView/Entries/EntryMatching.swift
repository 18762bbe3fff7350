import ArchiveInspection
import EntryConditions
import Foundation
import HTTPArchive
import RelayCore

extension EntryLists {
    /// Returns the entry for a request, or the nearest entries and their differences.
    func matching(_ request: ViewRequest) async throws -> JSONValue {
        var asked = InterceptedRequest(method: request.text("method"), url: request.text("url"))
        guard !asked.method.isEmpty, LiteralURL(asked.url).scheme != nil else {
            throw ViewError(400, "Expected a method and an absolute URL.")
        }
        asked.headers = request.body.headerFields ?? []
        asked.body = request.body["body"]?.text.map { Data($0.utf8) }
        var settings = Interceptor.Configuration()
        settings.matching = try request.choice("matching", MatchingName.standard).rules
        let interceptor = Interceptor(playing: [archive], configuration: settings)
        defer { interceptor.stop() }
        func row(_ index: Int, _ request: String, _ differences: [String]) -> JSONValue {
            ["i": .integer(index), "request": .text(request), "differences": .array(differences.map { .text($0) })]
        }
        guard case .archive(_, let index) = await interceptor.decision(on: asked).source else {
            let nearest = interceptor.nearestEntries(to: asked)
            return ["i": nil, "entries": .array(nearest.map { row($0.index, $0.request, $0.explanation) })]
        }
        let summary = archive.summary(at: index)
        return ["i": .integer(index), "entries": [row(index, "\(summary.method) \(summary.url)", [])]]
    }
}

extension Interceptor {
    /// Returns the decision on a request.
    func decision(on request: InterceptedRequest) async -> Decision {
        await withCheckedContinuation { continuation in
            decide(on: request, for: .server) { continuation.resume(returning: $0) }
        }
    }
}
