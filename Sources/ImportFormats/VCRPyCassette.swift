import Foundation
package import HTTPArchive
package import RecordingFormats

/// Cassettes of VCR.py, in YAML or JSON.
///
/// This format includes version 1, with responses from `httpx` and other clients, and the older list of interactions.
package enum VCRPyCassette: RecordingFormat {
    package static let name = "vcrpy"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        if let interactions = file.value?["interactions"]?.array {
            return file.value?["version"]?.int != nil && (interactions.isEmpty || isInteraction(interactions[0]))
        }
        return file.value?[0].map { isInteraction($0) && $0["request"]?["host"] != nil } ?? false
    }

    private static func isInteraction(_ value: JSONValue) -> Bool {
        guard let request = value["request"], let response = value["response"] else { return false }
        return (request["uri"] != nil || request["host"] != nil)
            && (response["status_code"] != nil || response["status"]?["code"] != nil)
    }

    /// Returns the interactions in file order, which is also VCR.py's replay order.
    ///
    /// Cassettes contain no times, so an entry's start time is the response's `Date` field or, if that is missing, the
    /// file's date.
    ///
    /// - Parameter file: The file.
    /// - Returns: An entry for each interaction.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let interactions = content.value.array == nil ? try content.required("interactions") : content
        let common = content.rest(besides: ["interactions", "version"])
        return try interactions.elements().map { value throws(HARError) in
            let response = try value.required("response")
            let headers = try response["headers"].map(Self.headers) ?? []
            var exchange = RecordedExchange(
                start: headers.date ?? file.date, url: "", status: 0)
            try readRequest(try value.required("request"), into: &exchange)
            exchange.responseHeaders = headers
            try readResponse(response, into: &exchange)
            exchange.entryFields = common + value.rest(besides: ["request", "response"])
            return exchange.entry
        }.withAscendingTimes
    }

    private static func readRequest(_ request: RecordedValue, into exchange: inout RecordedExchange) throws(HARError) {
        exchange.method = try request["method"]?.text().uppercased() ?? "GET"
        if let uri = request["uri"] { exchange.url = try uri.text() } else { exchange.url = try url(ofParts: request) }
        exchange.requestHeaders = try request["headers"].map(Self.headers) ?? []
        exchange.requestBody = try request["body"]?.bytes()
        exchange.requestFields = request.rest(besides: [
            "method", "uri", "headers", "body", "protocol", "host", "port", "path",
        ])
    }

    private static func readResponse(_ response: RecordedValue, into exchange: inout RecordedExchange) throws(HARError)
    {
        var known: Set = ["headers"]
        if let code = response["status_code"] {
            exchange.status = try code.status()
            if let version = try response["http_version"]?.text() { exchange.httpVersion = version }
            try exchange.setResponseBody(response["content"]?.bytes() ?? Data())
            known.formUnion(["status_code", "http_version", "content"])
        } else {
            let status = try response.required("status")
            exchange.status = try status.required("code").status()
            exchange.statusText = try status["message"]?.scalarText() ?? ""
            let body = response["body"]
            let string = body?["string"] ?? (body?.value.object == nil ? body : nil)
            try exchange.setResponseBody(string?.bytes() ?? Data())
            known.formUnion(["status", "body"])
        }
        if response["url"]?.value.text == exchange.url { known.insert("url") }
        exchange.responseFields = response.rest(besides: known)
    }

    /// Returns the URL of a request in the format that preceded version 1.
    private static func url(ofParts request: RecordedValue) throws(HARError) -> String {
        guard request["host"] != nil else { throw request.error("Expected a member 'uri' or 'host', found neither.") }
        let scheme = try request["protocol"]?.text() ?? "http"
        let port = try request["port"]?.int() ?? 0
        let isDefault = port == 0 || port == LiteralURL.defaultPort(of: scheme)
        let host = try request.required("host").text()
        return "\(scheme)://\(host)\(isDefault ? "" : ":\(port)")\(try request["path"]?.text() ?? "/")"
    }

    /// Returns header fields from an object or, in older cassettes, from an array of lines, pairs or arrays of pairs.
    private static func headers(_ value: RecordedValue) throws(HARError) -> [HAR.Header] {
        guard value.value.array != nil else { return try value.headers() }
        var headers: [HAR.Header] = []
        for element in try value.elements() {
            if let line = element.value.text {
                guard let field = FieldLine(line[...]) else {
                    throw element.error("Expected a header field 'name: value', found a string without ':'.")
                }
                headers.append(HAR.Header(name: String(field.name), value: String(field.value)))
            } else if element.value.array != nil, element.value[0]?.text == nil {
                for pair in try element.elements() { headers.append(try header(pair)) }
            } else {
                headers += element.value.array == nil ? try element.headers() : [try header(element)]
            }
        }
        return headers
    }

    private static func header(_ pair: RecordedValue) throws(HARError) -> HAR.Header {
        let parts = try pair.elements()
        guard parts.count == 2 else {
            throw pair.error(
                "Expected an array of two elements, a name and a value, found an array of \(parts.count).")
        }
        return HAR.Header(name: try parts[0].text(), value: try parts[1].scalarText())
    }
}
