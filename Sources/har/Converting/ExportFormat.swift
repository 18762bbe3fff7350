import ArchiveInspection
import ArgumentParser
import Foundation
import HTTPArchive
import Relay

/// The format of another tool, as a command-line argument.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case curl, vinyl, dvr, ndjson, markdown, k6, swift

    /// The exporter of the format.
    var exporter: any ArchiveExporter.Type {
        switch self {
        case .curl: CurlExporter.self
        case .vinyl: VinylExporter.self
        case .dvr: DVRExporter.self
        case .ndjson: NDJSONExporter.self
        case .markdown: MarkdownExporter.self
        case .k6: K6Exporter.self
        case .swift: SwiftExporter.self
        }
    }
}

/// An exporter for POSIX shell scripts that run `curl` for each request.
struct CurlExporter: ArchiveExporter {
    func beginning(title: String) -> String {
        """
        #!/bin/sh
        # Left out: pseudo-header fields such as :authority, Host and Content-Length, which curl sets itself.

        """
    }

    func note(onSkipping exported: ExportedEntry) -> String? {
        let request = exported.entry.request
        let reason = exported.unsupportedReason ?? "the request body \(request.body.missingReason)"
        return
            "# Left out: entry \(exported.index), \(FieldSyntax.singleLine([request.method, request.url].joined(separator: " "))): \(reason)\n"
    }

    func text(of exported: ExportedEntry) -> String? {
        guard exported.unsupportedReason == nil, let body = exported.requestBody else { return nil }
        return exported.intercepted(body: body).curlCommand(maskingSecrets: false) + "\n"
    }
}

/// An exporter for newline-delimited JSON, with one entry per line (https://github.com/ndjson/ndjson-spec).
struct NDJSONExporter: ArchiveExporter {
    static let losses: [ExportLoss] = []

    func text(of exported: ExportedEntry) -> String? {
        String(decoding: JSONValue.object(exported.entry.fields).data(), as: UTF8.self) + "\n"
    }
}
