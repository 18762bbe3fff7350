import ArchiveInspection
import Foundation
import HTTPArchive
import RelayCore

/// A body with its content codings removed, and how the page shows it.
struct ViewedBody: Sendable {
    let bytes: Data

    /// The media type, or nil if it is unknown.
    let type: MediaType?

    /// The media type as recorded.
    let typeText: String

    /// The text, or nil if the body is not text.
    let text: String?

    /// An explanation if the archive does not declare how the body is recorded.
    let note: String?

    /// The times of the parts of an event stream, by offset.
    private var times: [(offset: Int, time: Double)] = []

    /// The maximum number of form fields, parts and events in the details of an entry.
    private static let mostParts = 1000

    /// Creates the body of the request or of the response of an entry, or returns nil if the body is missing or empty.
    init?(of entry: HAR.Entry, isRequest: Bool, in files: HAR.BodyFolder) {
        let message: any RecordedMessage = isRequest ? entry.request : entry.response
        guard let found = try? message.decompressedBody(in: files), !found.isEmpty else { return nil }
        bytes = found
        let recorded = (isRequest ? entry.request.postData?.mimeType : entry.response.content.mimeType) ?? ""
        let declared = message.header("content-type") ?? ""
        typeText = MediaType(declared)?.charset != nil || recorded.isEmpty ? declared : recorded
        type = MediaType(typeText)
        text = RecordedBody.text(of: bytes, type: type)
        let interpreted = message.interpretedBody
        let wasCoded = interpreted.map { $0.wasCoded || $0.bytes != found } ?? false
        note =
            interpreted?.isUnmarkedBase64 == true
            ? "The archive contains the body as Base64 without declaring it."
            : wasCoded ? "The archive contains the body with its content coding, which was removed." : nil
        guard !isRequest, type?.essence == "text/event-stream" else { return }
        let start = (entry.startedDate?.timeIntervalSince1970 ?? 0) * 1000
        times = entry.bodyChunks.ranges(of: bytes.count, borders: EventStream.ends(of: bytes)).map { time, range in
            (range.lowerBound, start + time)
        }
    }

    /// The kind of the body, which determines how the page shows it, and its parts with their name in the API.
    private var content: (kind: String, name: String?, parts: [JSONValue]) {
        let essence = type?.essence ?? ""
        if let picture { return (picture.hasPrefix("image/") ? "image" : "font", nil, []) }
        if essence.hasPrefix("multipart/"), let parts = MultipartBody(bytes, type: type)?.parts {
            return ("multipart", "parts", parts.map(Self.part))
        }
        guard let text else { return ("binary", nil, []) }
        let json = RecordedBody.json(in: text)
        let operations = json.map(RecordedBody.operations) ?? []
        switch essence {
        case "application/x-www-form-urlencoded":
            let items = FormEncoding.items(of: text[...], invalidText: .repaired)
            return ("form", "fields", items.map { ["name": .text($0.name), "value": .text($0.value)] })
        case "text/event-stream": return ("events", "events", events)
        case _ where !operations.isEmpty: return ("graphql", "operations", operations.map(Self.operation))
        case _ where essence.hasSuffix("json") || json != nil: return ("json", nil, [])
        default: return ("text", nil, [])
        }
    }

    /// The media type of an image or a font that the page can show, by its signature, or nil for any other body.
    ///
    /// The type in the archive is not used, because a browser could interpret the body as a document.
    var picture: String? {
        if type?.essence == "image/svg+xml", text != nil { return "image/svg+xml" }
        let format = text == nil ? FileSignature.mediaType(of: bytes) : nil
        return format.flatMap { $0.hasPrefix("image/") || $0.hasPrefix("font/") ? $0 : nil }
    }

    /// The value of the API.
    var json: JSONValue {
        let (kind, name, parts) = content
        var object: JSONObject = [
            "size": .integer(bytes.count), "type": .text(typeText), "kind": .text(kind), "isText": .bool(text != nil),
            "note": .text(note), "fields": .null, "parts": .null, "operations": .null, "events": .null,
            "more": .integer(max(0, parts.count - Self.mostParts)),
        ]
        if let name { object[name] = .array(Array(parts.prefix(Self.mostParts))) }
        return .object(object)
    }

    /// The maximum size of a part that is shown as text, in bytes.
    private static let largestPart = 4096

    private static func part(_ part: MultipartBody.Part) -> JSONValue {
        let text = part.content.count <= largestPart ? String(validating: part.content, as: UTF8.self) : nil
        return [
            "name": .text(part.name), "file": .text(part.fileName), "type": .text(part.type),
            "size": .integer(part.content.count), "text": .text(text.flatMap { $0.utf8.contains(0) ? nil : $0 }),
        ]
    }

    private static func operation(_ operation: JSONObject) -> JSONValue {
        let document = operation["query"]?.text ?? ""
        let word = document.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0.isLetter }
        return [
            "type": .text(word.isEmpty ? "query" : String(word)), "name": operation["operationName"] ?? .null,
            "query": .text(document), "variables": operation["variables"] ?? .null,
        ]
    }

    private func event(_ bytes: Data, at time: Double?) -> JSONValue {
        var fields = ["event": "message"]
        var data: [Substring] = []
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1] : ""
            if parts[0] == "data" { data.append(value) } else { fields[String(parts[0])] = String(value) }
        }
        return [
            "type": .text(fields["event"]), "id": .text(fields["id"]), "data": .text(data.joined(separator: "\n")),
            "time": .number(time),
        ]
    }

    /// The events of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    private var events: [JSONValue] {
        var start = 0
        var times = times[...]
        return EventStream.ends(of: bytes).map { end in
            defer { start = end }
            while let next = times.dropFirst().first, next.offset <= start { times.removeFirst() }
            return event(bytes.dropFirst(start).prefix(end - start), at: times.first?.time)
        }
    }
}
