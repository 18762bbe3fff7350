import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// The forms in which an entry can be copied.
enum EntryCopy: String, CaseIterable {
    case curl, fetch, swift, har

    /// Returns the text of an entry.
    ///
    /// - Throws: An error if Swift code cannot express the response.
    func text(of details: EntryDetails) throws(ViewError) -> String {
        let entry = details.entry
        let body = ViewedBody(ofRequest: entry, in: details.files)?.bytes
        return switch self {
        case .curl: entry.intercepted(body: body).curlCommand(maskingSecrets: false)
        case .fetch: Self.fetch(entry, body: body)
        case .swift: try Self.swift(details)
        case .har:
            String(
                decoding: JSONValue.object([
                    "log": [
                        "version": "1.2", "creator": ["name": "Relay", "version": ""],
                        "entries": [.object(entry.fields)],
                    ]
                ]).data(layout: .pretty), as: UTF8.self)
        }
    }

    /// Returns Swift code with a rule that returns the recorded response.
    private static func swift(_ details: EntryDetails) throws(ViewError) -> String {
        let folder = details.files ?? HAR.BodyFolder(FileManager.default.temporaryDirectory)
        let exported = ExportedEntry(entry: details.entry, index: details.index, folder: folder)
        guard let code = SwiftExporter.file(of: exported, title: "Recorded") else {
            let reason = exported.unsupportedReason ?? "a body was not captured"
            throw ViewError(409, "The entry has no Swift form: \(reason).")
        }
        return code
    }

    /// The names of header fields that a script cannot set, or that the browser computes.
    private static let omitted: Set = ["connection", "content-length", "cookie", "host", "transfer-encoding"]

    /// Returns a call of `fetch` (https://fetch.spec.whatwg.org/#fetch-method).
    private static func fetch(_ entry: HAR.Entry, body: Data?) -> String {
        let request = entry.request
        var headers = JSONObject()
        for header in request.headers where !header.name.hasPrefix(":") {
            let name = header.name.lowercased()
            if omitted.contains(name) || name.hasPrefix("sec-") || name.hasPrefix("proxy-") { continue }
            let other = headers[header.name]?.text.map { $0 + ", " } ?? ""
            headers[header.name] = .text(other + header.value)
        }
        var options: JSONObject = ["method": .text(request.method), "headers": .object(headers)]
        if request.header("cookie") != nil { options["credentials"] = "include" }
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        if let text, !text.isEmpty { options["body"] = .text(text) }
        func code(_ value: JSONValue) -> String {
            String(decoding: value.data(layout: .pretty), as: UTF8.self).trimming(.whitespacesAndNewlines)
        }
        var call = "await fetch(\(code(.text(request.url))), \(code(.object(options))));"
        if let body, text == nil {
            let bytes = "Uint8Array.fromBase64(\"\(body.base64EncodedString())\")"
            call = call.replacing("\n});", with: ",\n  \"body\": \(bytes)\n});")
        }
        return call
    }
}

extension HAR.Entry {
    /// Returns the request of the entry.
    func intercepted(body: Data?) -> InterceptedRequest {
        InterceptedRequest(
            method: request.method, url: request.url,
            headers: request.headers.filter { !$0.name.hasPrefix(":") }.map {
                HeaderField(name: $0.name, value: $0.value)
            }, body: body)
    }
}
