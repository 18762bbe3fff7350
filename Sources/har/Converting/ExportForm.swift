import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// A form for another tool as it is named on the command line.
struct ExportForm: ExpressibleByArgument {
    /// All forms, in the order in which messages name them.
    static let all: [any ArchiveExporter.Type] = [
        CurlExporter.self, VinylExporter.self, DVRExporter.self, NDJSONExporter.self, MarkdownExporter.self,
        K6Exporter.self, SwiftExporter.self,
    ]

    static var allValueStrings: [String] { all.map { $0.name } }

    /// What writes the form.
    let exporter: any ArchiveExporter.Type

    init?(argument: String) {
        guard let exporter = Self.all.first(where: { $0.name == argument }) else { return nil }
        self.exporter = exporter
    }
}

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

/// The entries as they stand, one a line (https://github.com/ndjson/ndjson-spec).
struct NDJSONExporter: ArchiveExporter {
    static let name = "ndjson"

    init(title: String) {}

    func text(of exported: ExportedEntry) -> String? {
        String(decoding: JSONValue.object(exported.entry.fields).data(), as: UTF8.self) + "\n"
    }
}
