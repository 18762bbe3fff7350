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

    /// The kind of the body, which determines how the page shows it.
    var kind: String {
        let essence = type?.essence ?? ""
        if let picture { return picture.hasPrefix("image/") ? "image" : "font" }
        for kind in ["audio", "video"] where essence.hasPrefix(kind + "/") { return kind }
        if essence.hasPrefix("multipart/"), MultipartBody(bytes, type: type) != nil { return "multipart" }
        if text == nil { return "binary" }
        switch essence {
        case "application/x-www-form-urlencoded": return "form"
        case "text/event-stream": return "events"
        case _ where !operations.isEmpty: return "graphql"
        case "text/html", "application/xhtml+xml": return "html"
        case "text/css": return "css"
        case _ where essence.hasSuffix("javascript"), "application/ecmascript": return "script"
        case _ where essence.hasSuffix("/xml"), _ where essence.hasSuffix("+xml"): return "xml"
        case _ where essence.hasSuffix("json"), _ where container != nil: return "json"
        default: return "text"
        }
    }

    /// The JSON object or array in the body, or nil for any other body.
    private var container: JSONValue? {
        let first = text?.utf8.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else { return nil }
        return try? JSONValue(parsing: bytes)
    }

    /// The signatures of the images and fonts that the page can show, with their offsets.
    private static let signatures: [(type: String, offset: Int, bytes: [UInt8])] = [
        ("image/png", 0, [0x89, 0x50, 0x4E, 0x47]), ("image/jpeg", 0, [0xFF, 0xD8, 0xFF]),
        ("image/gif", 0, Array("GIF8".utf8)), ("image/webp", 8, Array("WEBP".utf8)),
        ("image/avif", 4, Array("ftypavif".utf8)), ("image/bmp", 0, Array("BM".utf8)),
        ("image/x-icon", 0, [0, 0, 1, 0]), ("font/woff2", 0, Array("wOF2".utf8)), ("font/woff", 0, Array("wOFF".utf8)),
        ("font/otf", 0, Array("OTTO".utf8)), ("font/ttf", 0, [0, 1, 0, 0]),
    ]

    /// The media type of an image or a font that the page can show, by its signature, or nil for any other body.
    ///
    /// The type in the archive is not used, because a browser could interpret the body as a document.
    var picture: String? {
        if type?.essence == "image/svg+xml", text != nil { return "image/svg+xml" }
        return Self.signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.type
    }

    /// The value of the API.
    var json: JSONValue {
        let kind = kind
        var object: JSONObject = [
            "size": .integer(bytes.count), "type": .text(typeText), "kind": .text(kind), "isText": .bool(text != nil),
            "note": .text(note), "fields": .null, "parts": .null, "operations": .null, "events": .null,
        ]
        let details: (name: String, values: [JSONValue])? =
            switch kind {
            case "form": ("fields", fields)
            case "multipart": ("parts", MultipartBody(bytes, type: type)?.parts.map(Self.part) ?? [])
            case "graphql": ("operations", operations)
            case "events": ("events", events)
            default: nil
            }
        if let details { object[details.name] = .array(Array(details.values.prefix(Self.mostParts))) }
        object["more"] = .integer(max(0, (details?.values.count ?? 0) - Self.mostParts))
        return .object(object)
    }

    private var fields: [JSONValue] {
        let items = FormEncoding.items(of: (text ?? "")[...], invalidText: .repaired)
        return JSONValue.pairs(items.map { ($0.name, $0.value) }).array ?? []
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

    /// The operations of a GraphQL request (https://graphql.github.io/graphql-over-http/draft/#sec-Request).
    private var operations: [JSONValue] {
        guard let value = container else { return [] }
        let operations = value.array ?? [value]
        let described = operations.compactMap { operation -> JSONValue? in
            guard let document = operation["query"]?.text, document.contains("{") else { return nil }
            let word = document.trimmingCharacters(in: .whitespacesAndNewlines).prefix { $0.isLetter }
            return [
                "type": .text(word.isEmpty ? "query" : String(word)), "name": operation["operationName"] ?? .null,
                "query": .text(document), "variables": operation["variables"] ?? .null,
            ]
        }
        return described.count == operations.count ? described : []
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
