import ArchiveInspection
import ArchiveChecking
import Foundation
import HTTPArchive

/// The details of an entry, for the panel of the page.
struct EntryDetails {
    /// The maximum size of a body in the HAR text of an entry, and of a message's text, in bytes.
    private static let largestText = 1 << 16

    let archive: HARArchive
    let index: Int
    let entry: HAR.Entry

    /// The redactor that marks secrets.
    private let redactor: HARRedactor?

    /// Reads an entry.
    init(of archive: HARArchive, at index: Int?, _ redactor: HARRedactor?) throws {
        guard let index, 0..<archive.count ~= index else { throw ViewError(404, "Unknown entry.") }
        self.archive = archive
        self.index = index
        self.redactor = redactor
        entry = try archive.entry(at: index)
    }

    /// The response of the API.
    var json: JSONValue {
        var request = message(entry.request, isRequest: true)
        request["method"] = .text(entry.request.method)
        request["url"] = .text(entry.request.url)
        request["query"] = .pairs(entry.request.queryString.map { ($0.name, $0.value) })
        var response = message(entry.response, isRequest: false)
        response["status"] = .integer(entry.response.status)
        response["statusText"] = .text(entry.response.statusText)
        response["redirectURL"] = .text(entry.response.redirectURL.isEmpty ? nil : entry.response.redirectURL)
        return [
            "i": .integer(index), "request": .object(request), "response": .object(response),
            "started": .time(entry.startedDate), "time": .number(entry.time),
            "phases": entry["timings"]?.object == nil ? .null : entry.timings.phases,
            "failure": .text(entry.failure), "messages": .integer(entry.webSocketMessages.count),
            "findings": .array(findings), "secrets": .array(secrets), "json": .object(shortened.fields),
        ]
    }

    private func message(_ message: some RecordedMessage, isRequest: Bool) -> JSONObject {
        [
            "httpVersion": .text(message.httpVersion),
            "headers": .pairs(message.headers.map { ($0.name, $0.value) }),
            "cookies": .array(message.cookies.map { .object($0.fields) }),
            "headersSize": .integer(message.headersSize), "bodySize": .integer(message.bodySize),
            "body": body(isRequest: isRequest)?.json ?? .null,
        ]
    }

    /// Returns the body of the request or of the response, or nil if it is missing.
    func body(isRequest: Bool) -> ViewedBody? { ViewedBody(of: entry, isRequest: isRequest, in: archive.bodyFolder) }

    private var findings: [JSONValue] {
        var checker = HARChecker()
        return checker.check(.entry(entry)).map { finding in
            [
                "severity": .text(finding.severity.rawValue), "message": .text(finding.message),
                // The checker counts from its first entry.
                "pointer": .text(JSONPointer(Array(finding.pointer.components.dropFirst(3))).description),
            ]
        }
    }

    private var secrets: [JSONValue] {
        (redactor?.secrets(in: entry) ?? []).map { finding in
            ["pointer": .text(finding.pointer.description), "kind": .text("\(finding.kind)")]
        }
    }

    /// The entry without large bodies.
    private var shortened: HAR.Entry {
        var entry = entry
        if entry.response.content.text?.utf8.count ?? 0 > Self.largestText { entry.response.content["text"] = nil }
        if entry.request.postData?.text?.utf8.count ?? 0 > Self.largestText { entry.request.postData?["text"] = nil }
        if entry.webSocketMessages.count > 100 { entry["_webSocketMessages"] = nil }
        return entry
    }

    // MARK: WebSocket messages

    /// Returns the WebSocket messages that a request asks for.
    func messages(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let messages = entry.webSocketMessages
        let range = try request.range(of: messages.count)
        return [
            "count": .integer(messages.count),
            "messages": .array(range.map { message(messages[$0], number: $0) }),
        ]
    }

    private func message(_ message: RecordedWebSocketMessage, number: Int) -> JSONValue {
        let bytes = message.bytes
        let text = bytes.map { Hexadecimal.text($0.prefix(Self.largestText / 2)) } ?? message.data
        let shown = String(decoding: text.utf8.prefix(Self.largestText), as: UTF8.self)
        return [
            "n": .integer(number), "outgoing": .bool(message.direction == .sent),
            "time": .time(message.secondsElapsed(in: entry).flatMap { entry.startedDate?.addingTimeInterval($0) }),
            "kind": .text(message.name), "size": .integer(bytes?.count ?? message.data.utf8.count),
            "text": .text(shown), "isCut": .bool(shown.utf8.count < (bytes.map { 2 * $0.count } ?? text.utf8.count)),
        ]
    }
}
