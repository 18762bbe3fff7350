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
        asked.headers = (request.body["headers"]?.array ?? []).map {
            HeaderField(name: $0["name"]?.text ?? "", value: $0["value"]?.text ?? "")
        }
        asked.body = request.body["body"]?.text.map { Data($0.utf8) }
        var settings = Interceptor.Configuration()
        settings.matching = rules
        let interceptor = Interceptor(playing: [archive], configuration: settings)
        defer { interceptor.stop() }
        guard case .archive(_, let index) = await interceptor.decision(on: asked).source else {
            let nearest = interceptor.nearestEntries(to: asked).map { entry -> JSONValue in
                [
                    "i": .integer(entry.index), "request": .text(entry.request), "answers": false,
                    "differences": .array(entry.explanation.map { .text($0) }),
                ]
            }
            return ["i": nil, "text": "No entry answers the request.", "entries": .array(nearest)]
        }
        let summary = archive.summary(at: index)
        let entry: JSONValue = [
            "i": .integer(index), "request": .text("\(summary.method) \(summary.url)"), "answers": true,
            "differences": [],
        ]
        return ["i": .integer(index), "text": .text("Entry \(index) answers the request."), "entries": [entry]]
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
