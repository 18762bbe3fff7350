import Foundation
import HTTPArchive

extension ExportedEntry {
    /// The names of header fields that a script cannot set, or that the browser computes.
    private static let omitted: Set = ["connection", "content-length", "cookie", "host", "transfer-encoding"]

    /// The request as a call of `fetch` (https://fetch.spec.whatwg.org/#fetch-method).
    package var fetchCall: String {
        let request = entry.request
        var headers = JSONObject()
        for (name, value) in requestHeaders.merged(by: { $0.lowercased() }) {
            let isSet = !["sec-", "proxy-"].contains { name.lowercased().hasPrefix($0) }
            if isSet, !Self.omitted.contains(name.lowercased()) { headers[name] = .text(value) }
        }
        var options: JSONObject = ["method": .text(request.method), "headers": .object(headers)]
        if request.header("cookie") != nil { options["credentials"] = "include" }
        let body = requestBody
        let text = body.flatMap { String(validating: $0, as: UTF8.self) }
        if let text, !text.isEmpty { options["body"] = .text(text) }
        let arguments = [.text(request.url), .object(options)].map { (value: JSONValue) in
            String(decoding: value.data(layout: .pretty), as: UTF8.self).trimming(.whitespacesAndNewlines)
        }
        let call = "await fetch(\(arguments.joined(separator: ", ")));"
        guard let body, text == nil else { return call }
        let bytes = "Uint8Array.fromBase64(\"\(body.base64EncodedString())\")"
        return call.replacing("\n});", with: ",\n  \"body\": \(bytes)\n});")
    }
}
