import Foundation
import HTTPArchive

@testable import Relay

/// Asks for what the entries of a document were asked: none of it may be unknown to the archive.
func checkReplaying(_ input: Input) {
    let entries = Reading(input.document).entries
    var configuration = Interceptor.Configuration()
    configuration.deliversMissingBodiesAsEmpty = input.choice(0, of: 2) == 0
    let player = ArchivePlayer(PlayedEntries(entries, name: "fuzz"), configuration: configuration)
    for entry in entries {
        let headers = entry.request.headers.map { HeaderField(name: $0.name, value: $0.value) }
        var request = InterceptedRequest(
            method: entry.request.method, url: entry.request.url, headers: headers, body: entry.request.body.data)
        let isHTTP = NormalizedURL(request.url).isHTTP
        for _ in 0..<3 {
            switch player.answer(to: request) {
            case .failure(let error as HARError) where error.code == .noMatchingEntry:
                if isHTTP { fail("\(error)") }
            case .response(let response):
                if let url = URL(text: request.url) { _ = response.httpURLResponse(requestedFrom: url) }
                if let next = request.redirected(by: response) { _ = player.answer(to: next) }
            case .failure, .passThrough: break
            }
            request.headers.removeAll { $0.name.lowercased().hasPrefix("if-") }
        }
    }
}
