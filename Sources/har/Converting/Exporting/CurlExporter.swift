import Foundation
import HTTPArchive
import Relay

/// The requests as a script for a POSIX shell, with a call of `curl` for each.
struct CurlExporter: ArchiveExporter {
    static let name = "curl"

    init(title: String) {}

    var beginning: String { "#!/bin/sh\n" }

    func text(of exported: ExportedEntry) -> String? {
        guard exported.reasonNotToAsk == nil, let body = exported.requestBody else { return nil }
        let request = exported.entry.request
        let headers = request.headers.map { HeaderField(name: $0.name, value: $0.value) }
        let asked = InterceptedRequest(
            method: request.method, url: request.url, headers: headers, body: body.isEmpty ? nil : body)
        return asked.curlCommand(maskingSecrets: false) + "\n"
    }
}
