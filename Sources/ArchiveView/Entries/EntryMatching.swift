import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// Finds the entry for a request.
struct EntryMatching {
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
        asked.headers = request.body.headerFields ?? []
        asked.body = request.body["body"]?.text.map { Data($0.utf8) }
        var settings = Interceptor.Configuration()
        settings.matching = rules
        let interceptor = Interceptor(playing: [archive], configuration: settings)
        defer { interceptor.stop() }
        func row(_ index: Int, _ request: String, _ differences: [String]) -> JSONValue {
            [
                "i": .integer(index), "request": .text(request),
                "differences": .array(differences.map { .text($0) }),
            ]
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
            decide(on: request, for: .server, unless: { false }) { continuation.resume(returning: $0) }
        }
    }
}
