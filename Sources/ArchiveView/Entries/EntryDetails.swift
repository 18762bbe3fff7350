import ArchiveInspection
import ArchiveChecking
import Foundation
import HTTPArchive

/// The details of an entry, for the panel of the page.
struct EntryDetails {
    /// The maximum size of a body in the HAR text of an entry, in bytes.
    private static let largestText = 1 << 16

    let index: Int
    let entry: HAR.Entry
    let files: HAR.BodyFolder?

    /// The redactor that marks secrets.
    let redactor: HARRedactor?

    /// The response of the API.
    var json: JSONValue {
        var request = message(entry.request, ViewedBody(ofRequest: entry, in: files))
        request["method"] = .text(entry.request.method)
        request["url"] = .text(entry.request.url)
        request["query"] = .pairs(entry.request.queryString.map { ($0.name, $0.value) })
        var response = message(entry.response, ViewedBody(ofResponse: entry, in: files))
        response["status"] = .number(entry.response.status)
        response["statusText"] = .text(entry.response.statusText)
        response["redirectURL"] = .text(entry.response.redirectURL.isEmpty ? nil : entry.response.redirectURL)
        return [
            "i": .number(index), "request": .object(request), "response": .object(response),
            "started": .number(entry.startedDate.map { $0.timeIntervalSince1970 * 1000 }),
            "startedDateTime": .text(entry.startedDateTime), "time": .number(entry.time),
            "phases": entry["timings"]?.object == nil ? .null : entry.timings.phases,
            "server": .text(entry.serverIPAddress), "connection": .text(entry.connection),
            "page": .text(entry.pageref), "failure": .text(entry.failure), "comment": .text(entry.comment),
            "custom": .array(custom), "messages": .number(entry["_webSocketMessages"]?.array?.count ?? 0),
            "findings": .array(findings), "secrets": .array(secrets), "json": .object(shortened.fields),
        ]
    }

    private func message(_ message: some ViewedMessage, _ body: ViewedBody?) -> JSONObject {
        [
            "httpVersion": .text(message.httpVersion),
            "headers": .pairs(message.headers.map { ($0.name, $0.value) }),
            "cookies": .array(message.cookies.map { .object($0.fields) }),
            "headersSize": .number(message.headersSize), "bodySize": .number(message.bodySize),
            "body": body?.json ?? .null,
        ]
    }

    private var custom: [JSONValue] {
        entry.fields.members.filter { $0.name.text.hasPrefix("_") && $0.name.text != "_webSocketMessages" }.map {
            ["name": .text($0.name.text), "value": $0.value]
        }
    }

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
        if entry["_webSocketMessages"]?.array?.count ?? 0 > 100 { entry["_webSocketMessages"] = nil }
        return entry
    }

    // MARK: WebSocket messages

    /// The maximum size of a message's text, in bytes.
    private static let largestMessage = 1 << 16

    /// Returns the WebSocket messages that a request asks for.
    func messages(_ request: ViewRequest) throws(ViewError) -> JSONValue {
        let messages = entry["_webSocketMessages"]?.array ?? []
        let range = try request.range(of: messages.count)
        return [
            "count": .number(messages.count),
            "messages": .array(range.map { message(WebSocketMessage(messages[$0]), number: $0) }),
        ]
    }

    private func message(_ message: WebSocketMessage, number: Int) -> JSONValue {
        let bytes = message.bytes
        let text = bytes.map { Hexadecimal.text($0.prefix(Self.largestMessage / 2)) } ?? message.data
        let shown = String(decoding: text.utf8.prefix(Self.largestMessage), as: UTF8.self)
        let start = entry.startedDate.map { $0.timeIntervalSince1970 * 1000 }
        let elapsed = message.secondsElapsed(in: entry)
        return [
            "n": .number(number), "outgoing": .bool(message.direction == .sent),
            "time": .number(elapsed.flatMap { elapsed in start.map { $0 + elapsed * 1000 } }),
            "kind": .text(message.name), "size": .number(bytes?.count ?? message.data.utf8.count),
            "text": .text(shown), "isCut": .bool(shown.utf8.count < (bytes.map { 2 * $0.count } ?? text.utf8.count)),
        ]
    }
}

/// A request or a response, whose common fields the page shows.
private protocol ViewedMessage {
    var httpVersion: String { get }
    var headers: [HAR.Header] { get }
    var cookies: [HAR.Cookie] { get }
    var headersSize: Int? { get }
    var bodySize: Int? { get }
}

extension HAR.Request: ViewedMessage {}
extension HAR.Response: ViewedMessage {}
