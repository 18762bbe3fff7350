import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// The forms in which an entry can be copied.
enum EntryCopy: String, CaseIterable {
    case curl, fetch, swift, har

    /// Returns the text of entries: one archive, or the texts of all of them.
    ///
    /// - Throws: An error if Swift code cannot express a response.
    func text(of entries: [EntryDetails]) throws -> String {
        let exported = entries.map { details in
            ExportedEntry(entry: details.entry, index: details.index, folder: details.archive.bodyFolder)
        }
        let texts: [String]
        switch self {
        case .curl:
            texts = exported.map { $0.intercepted(body: $0.requestBody).curlCommand(maskingSecrets: false) }
        case .fetch: texts = exported.map(Self.fetch)
        case .swift: texts = try exported.map(Self.swift)
        case .har:
            var log = HAR.Log(creator: .relay).fields
            log["entries"] = .array(entries.map { .object($0.entry.fields) })
            texts = [Self.code(["log": .object(log)])]
        }
        return texts.joined(separator: "\n\n")
    }

    private static func swift(_ exported: ExportedEntry) throws(ViewError) -> String {
        guard let code = SwiftExporter.file(of: exported, title: "Recorded") else {
            let reason = exported.unsupportedReason ?? "a body was not captured"
            throw ViewError(409, "Entry \(exported.index) has no Swift form: \(reason).")
        }
        return code
    }

    private static func code(_ value: JSONValue) -> String {
        String(decoding: value.data(layout: .pretty), as: UTF8.self)
    }

    /// The names of header fields that a script cannot set, or that the browser computes.
    private static let omitted: Set = ["connection", "content-length", "cookie", "host", "transfer-encoding"]

    /// Returns a call of `fetch` (https://fetch.spec.whatwg.org/#fetch-method).
    private static func fetch(_ exported: ExportedEntry) -> String {
        let request = exported.entry.request
        var headers = JSONObject()
        for (name, value) in exported.requestHeaders.merged(by: { $0.lowercased() }) {
            let isSet = !["sec-", "proxy-"].contains { name.lowercased().hasPrefix($0) }
            if isSet, !omitted.contains(name.lowercased()) { headers[name] = .text(value) }
        }
        var options: JSONObject = ["method": .text(request.method), "headers": .object(headers)]
        if request.header("cookie") != nil { options["credentials"] = "include" }
        let body = exported.requestBody
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        if let text, !text.isEmpty { options["body"] = .text(text) }
        let arguments = [.text(request.url), .object(options)].map { code($0).trimming(.whitespacesAndNewlines) }
        let call = "await fetch(\(arguments.joined(separator: ", ")));"
        guard let body, text == nil else { return call }
        let bytes = "Uint8Array.fromBase64(\"\(body.base64EncodedString())\")"
        return call.replacing("\n});", with: ",\n  \"body\": \(bytes)\n});")
    }
}
