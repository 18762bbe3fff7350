import Foundation
package import HTTPArchive
package import RecordingFormats

/// Stub mappings of WireMock.
///
/// A file contains one mapping, or several in the member `mappings`.
///
/// Sources: https://wiremock.org/docs/stubbing/, https://wiremock.org/docs/request-matching/
package enum WireMockMappings: RecordingFormat {
    package static let name = "wiremock"

    package static func recognizes(_ file: RecordingFile) -> Bool {
        guard let value = file.value else { return false }
        if let mappings = value["mappings"]?.array { return mappings.allSatisfy(isMapping) }
        return isMapping(value)
    }

    private static func isMapping(_ value: JSONValue) -> Bool {
        guard let request = value["request"]?.object, value["response"]?.object != nil else { return false }
        let names = ["method", "url", "urlPath", "urlPattern", "urlPathPattern", "urlPathTemplate", "urlPathMatching"]
        return names.contains { request[$0] != nil } && request["uri"] == nil && value["response"]?["url"] == nil
    }

    /// Returns the mappings in WireMock's order of precedence: by priority, and with later mappings first for equal
    /// priorities.
    ///
    /// Among mappings with equal priorities, the mappings of scenarios come first and keep their order. The request
    /// contains the method, URL, query, header fields and body that WireMock compares for equality. Other conditions
    /// become custom fields. For a URL pattern, the URL is the pattern's literal prefix.
    ///
    /// - Parameter file: The file. Body files are in the folder `__files` next to the folder `mappings`.
    /// - Returns: An entry for each mapping.
    /// - Throws: `malformedRecording` or `malformedJSON` with the location, or `unreadableFile` if a body file is
    ///   missing.
    package static func entries(of file: RecordingFile) throws(HARError) -> [HAR.Entry] {
        let content = try file.content()
        let mappings = content["mappings"]
        // A list exported from the server begins with the latest mapping.
        let isListing = content["meta"] != nil
        var entries: [(rank: (Int, Int, Int), entry: HAR.Entry)] = []
        for (index, mapping) in try (mappings?.elements() ?? [content]).enumerated() {
            let priority = try mapping["priority"]?.int() ?? defaultPriority
            let isOfScenario = mapping["scenarioName"] != nil
            let rank = (priority, isOfScenario ? 0 : 1, isOfScenario || isListing ? index : -index)
            entries.append((rank, try WireMockStub(mapping, in: file).exchange.entry))
        }
        return entries.sorted { $0.rank < $1.rank }.map(\.entry)
    }

    /// Returns the entries sorted by priority.
    ///
    /// Among equal priorities, entries from later files come first.
    package static func arranged(_ files: [[HAR.Entry]]) -> [HAR.Entry] {
        let entries = files.reversed().flatMap(\.self)
        let ranks = entries.map { $0["_priority"]?.int ?? defaultPriority }
        let order = entries.indices.sorted { (ranks[$0], $0) < (ranks[$1], $1) }
        return order.map { entries[$0] }.withAscendingTimes
    }

    private static let defaultPriority = 5
}

/// A mapping of WireMock.
struct WireMockStub {
    /// The exchange that the mapping describes.
    private(set) var exchange: RecordedExchange

    private let file: RecordingFile

    /// Reads a mapping.
    init(_ mapping: RecordedValue, in file: RecordingFile) throws(HARError) {
        self.file = file
        exchange = RecordedExchange(start: file.date, url: file.baseURL, status: 200)
        exchange.entryFields = mapping.rest(besides: ["request", "response"])
        try readRequest(mapping.required("request"))
        try readResponse(mapping.required("response"))
    }

    // MARK: Requests

    private mutating func readRequest(_ request: RecordedValue) throws(HARError) {
        var known: Set = ["url", "urlPath"]
        if let method = try request["method"]?.text(), method != "ANY" {
            exchange.method = method
            known.insert("method")
        }
        let pattern = request["urlPattern"] ?? request["urlPathPattern"] ?? request["urlPathTemplate"]
        let plain = try (request["url"] ?? request["urlPath"])?.text()
        let beginning = try pattern?.text().literalBeginning
        let path = plain ?? beginning ?? "/"
        exchange.url = LiteralURL(path).scheme != nil ? path : Self.joined(file.baseURL, path)
        let (query, isQueryKnown) = try Self.equalTexts(request["queryParameters"])
        if !query.isEmpty {
            exchange.url += (LiteralURL(exchange.url).query.isEmpty ? "?" : "&") + FormEncoding.query(query)
        }
        if isQueryKnown { known.insert("queryParameters") }
        let (headers, areHeadersKnown) = try Self.equalTexts(request["headers"])
        exchange.requestHeaders = headers.map { HAR.Header(name: $0.name, value: $0.value) }
        if areHeadersKnown { known.insert("headers") }
        if try addBody(request["bodyPatterns"]) { known.insert("bodyPatterns") }
        exchange.requestFields = request.rest(besides: known)
    }

    private static func joined(_ base: String, _ path: String) -> String {
        (base.hasSuffix("/") ? String(base.dropLast()) : base) + (path.hasPrefix("/") ? path : "/" + path)
    }

    /// Returns the texts of `equalTo` conditions, and whether there are no other conditions.
    private static func equalTexts(
        _ patterns: RecordedValue?
    ) throws(HARError) -> (texts: [(name: String, value: String)], areAll: Bool) {
        var texts: [(String, String)] = []
        var areAll = true
        for (name, pattern) in try patterns?.members() ?? [] {
            let text = try pattern["equalTo"]?.scalarText()
            if let text { texts.append((name, text)) }
            let count = try pattern.members().count
            if text == nil || count > 1 { areAll = false }
        }
        return (texts, areAll)
    }

    /// Adds the body of an equality condition, and returns whether there are no other conditions.
    private mutating func addBody(_ patterns: RecordedValue?) throws(HARError) -> Bool {
        guard let patterns else { return true }
        let elements = try patterns.elements()
        for pattern in elements where exchange.requestBody == nil {
            if let text = pattern["equalTo"] {
                exchange.requestBody = Data(try text.scalarText().utf8)
            } else if let json = pattern["equalToJson"] {
                exchange.requestBody = json.value.text.map { Data($0.utf8) } ?? json.value.data()
                if exchange.requestHeaders.values(of: "content-type").isEmpty {
                    exchange.requestHeaders.append(HAR.Header(name: "Content-Type", value: "application/json"))
                }
            } else if let bytes = pattern["binaryEqualTo"] {
                exchange.requestBody = try bytes.base64Bytes()
            }
        }
        guard elements.count == 1, exchange.requestBody != nil else { return false }
        return try elements[0].members().count == 1
    }

    // MARK: Responses

    private mutating func readResponse(_ response: RecordedValue) throws(HARError) {
        exchange.status = try response["status"]?.status() ?? 200
        exchange.statusText = try response["statusMessage"]?.text() ?? ""
        exchange.responseHeaders = try response["headers"]?.headers() ?? []
        if let delay = response["fixedDelayMilliseconds"] {
            exchange.time = Double(max(0, try delay.int()))
        }
        var known: Set = ["status", "statusMessage", "headers", "fixedDelayMilliseconds"]
        exchange.responseBody = Data()
        if let text = response["body"] {
            exchange.responseBody = Data(try text.text().utf8)
            exchange.responseType = "text/plain"
            known.insert("body")
        } else if let json = response["jsonBody"] {
            exchange.responseBody = json.value.data()
            exchange.responseType = "application/json"
            known.insert("jsonBody")
        } else if let bytes = response["base64Body"] {
            try exchange.setResponseBody(bytes.base64Bytes())
            known.insert("base64Body")
        } else if let name = response["bodyFileName"] {
            try exchange.setResponseBody(body(named: name))
        }
        exchange.responseFields = response.rest(besides: known)
        if let fault = try response["fault"]?.text() {
            exchange.status = 0
            let error = fault == "CONNECTION_RESET_BY_PEER" ? "net::ERR_CONNECTION_RESET" : "net::ERR_EMPTY_RESPONSE"
            exchange.responseFields.append(.init(name: "_error", value: .string(JSONString(error))))
        }
    }

    /// Returns the content of a file, which must be in the folder `__files`.
    private func body(named name: RecordedValue) throws(HARError) -> Data {
        let parts = file.url.deletingLastPathComponent().standardizedFileURL.pathComponents
        let mappings = parts.lastIndex(of: "mappings").map { Array(parts[..<$0]) } ?? parts
        let root = mappings.dropFirst().reduce(URL(fileURLWithPath: "/")) { $0.appendingPathComponent($1) }
        let folder = root.appendingPathComponent("__files").resolvingSymlinksInPath().standardizedFileURL
        let body = folder.appendingPathComponent(try name.text()).resolvingSymlinksInPath().standardizedFileURL
        guard body.path.hasPrefix(folder.path + "/") else {
            throw name.error("Expected a body file in the folder __files, found a path outside it.")
        }
        do {
            // Only regular files are read, up to the maximum size of a body file.
            return try HAR.BodyFolder(folder).read(String(body.path.dropFirst(folder.path.count + 1)))
        } catch  where error.code == .limitExceeded {
            throw error
        } catch {
            throw HARError(
                .unreadableFile,
                "The body file cannot be read. \(file.name) refers to it at \(name.pointer). "
                    + "Store it in the folder __files next to the folder mappings.",
                at: .init(file: body.path), underlying: error)
        }
    }
}

extension String {
    /// The literal prefix of a regular expression or a URL template, with escapes resolved.
    var literalBeginning: String {
        var text = ""
        var isEscaped = false
        for character in self {
            if isEscaped {
                guard !character.isLetter, !character.isNumber else { return text }
                text.append(character)
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if "[({|^$".contains(character) {
                if !(character == "^" && text.isEmpty) { return text }
            } else if "*+?".contains(character) {
                // The previous character is optional.
                return String(text.dropLast())
            } else {
                text.append(character)
            }
        }
        return text
    }
}
