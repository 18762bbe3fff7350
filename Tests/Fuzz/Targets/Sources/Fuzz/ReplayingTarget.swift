import Foundation
import HTTPArchive
import Relay

@testable import RelayCore
@testable import RelayURLSession

/// Replays the requests of the document's entries.
///
/// Every request must match an entry.
func checkReplaying(_ input: Input) {
    let entries = Reading(input.document).entries
    var configuration = Interceptor.Configuration()
    configuration.deliversMissingBodiesAsEmpty = input.choice(0, of: 2) == 0
    // With these criteria, a recorded request always matches its entry.
    let matchings: [RequestMatching] = [.standard, .loose, .anyHost, .anyQuery]
    configuration.matching = matchings[input.choice(1, of: matchings.count)]
    let layers = ArchiveLayers([ReplaySource(entries, name: "fuzz")], configuration: configuration)
    for entry in entries {
        let headers = entry.request.headers.map { HeaderField(name: $0.name, value: $0.value) }
        var request = InterceptedRequest(
            method: entry.request.method, url: entry.request.url, headers: headers, body: entry.request.body.data)
        let isHTTP = NormalizedURL(request.url).isHTTP
        for _ in 0..<3 {
            switch play(request, in: layers)?.result {
            case .success(let response):
                if let url = URL(text: request.url) { _ = response.httpURLResponse(requestedFrom: url) }
                if let next = request.redirected(by: response) { _ = play(next, in: layers) }
            case .failure: break
            case nil: if isHTTP { fail("\(layers.miss(for: request))") }
            }
            request.headers.removeAll { $0.name.lowercased().hasPrefix("if-") }
        }
    }
}

/// Returns the recorded response to a request, and marks its entry as used.
private func play(_ request: InterceptedRequest, in layers: ArchiveLayers) -> Reply? {
    var search = layers.search(for: request)
    let selected = try? search.select(reading: .max)
    return selected.map { $0.cached ?? $0.read(inParts: false).reply }
}
