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
    private let times: [(offset: Int, time: Double)]

    /// The maximum number of form fields, parts and events in the details of an entry.
    private static let mostParts = 1000

    /// Creates the body of a request, or returns nil if it has no body.
    init?(ofRequest entry: HAR.Entry, in files: HAR.BodyFolder?) {
        let request = entry.request
        let label = request.postData?.mimeType ?? request.header("content-type") ?? ""
        let bytes = files.map { try? request.decompressedBody(in: $0) } ?? request.body.data
        guard let bytes, !bytes.isEmpty else { return nil }
        let isInferred = request.interpretedBody?.isUnmarkedBase64 == true
        self.init(bytes, label, isBase64: isInferred, wasCoded: bytes != request.interpretedBody?.bytes, times: [])
    }

    /// Creates the body of a response, or returns nil if it has no body.
    init?(ofResponse entry: HAR.Entry, in files: HAR.BodyFolder?) {
        let response = entry.response
        let body = files.map { try? response.interpretedBody(in: $0) } ?? response.interpretedBody
        guard let body, !body.bytes.isEmpty else { return nil }
        let recorded = response.content.mimeType
        let declared = response.header("content-type") ?? ""
        let label = MediaType(declared)?.charset != nil || recorded.isEmpty ? declared : recorded
        var offset = 0
        var times: [(offset: Int, time: Double)] = []
        for chunk in entry["_chunks"]?.array ?? [] {
            if let time = chunk["timestamp"]?.double { times.append((offset, time)) }
            offset = offset.adding(clamping: max(0, chunk["bytes"]?.int ?? 0))
        }
        self.init(
            body.bytes, label, isBase64: body.isUnmarkedBase64, wasCoded: body.wasCoded,
            times: times.map { ($0.offset, (entry.startedDate?.timeIntervalSince1970 ?? 0) * 1000 + $0.time) })
    }

    private init(
        _ bytes: Data, _ label: String, isBase64: Bool, wasCoded: Bool, times: [(offset: Int, time: Double)]
    ) {
        self.bytes = bytes
        self.times = times
        typeText = label
        type = MediaType(label)
        text = RecordedBody.text(of: bytes, type: type)
        note =
            isBase64
            ? "The archive contains the body as Base64 without declaring it."
            : wasCoded ? "The archive contains the body with its content coding, which was removed." : nil
    }

    /// The kind of the body, which determines how the page shows it.
    var kind: String {
        let essence = type?.essence ?? ""
        if image != nil { return "image" }
        if font != nil { return "font" }
        for kind in ["audio", "video"] where essence.hasPrefix(kind + "/") { return kind }
        if essence.hasPrefix("multipart/"), MultipartBody(bytes, type: type) != nil { return "multipart" }
        guard let text else { return "binary" }
        if essence == "application/x-www-form-urlencoded" { return "form" }
        if essence == "text/event-stream" { return "events" }
        if !operations.isEmpty { return "graphql" }
        switch essence {
        case "text/html", "application/xhtml+xml": return "html"
        case "text/css": return "css"
        case _ where essence.hasSuffix("javascript"), "application/ecmascript": return "script"
        case _ where essence.hasSuffix("/xml"), _ where essence.hasSuffix("+xml"): return "xml"
        case _ where essence.hasSuffix("json"): return "json"
        default: break
        }
        let first = text.utf8.first { $0 > 0x20 }
        let mayBeJSON = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
        return mayBeJSON && (try? JSONValue(parsing: bytes)) != nil ? "json" : "text"
    }

    /// The media type of an image that the page can show, by its signature, or nil for any other body.
    ///
    /// The type in the archive is not used, because a browser could interpret the body as a document.
    var image: String? {
        if type?.essence == "image/svg+xml", text != nil { return "image/svg+xml" }
        let start = [UInt8](bytes.prefix(16))
        let signatures: [(String, Int, [UInt8])] = [
            ("image/png", 0, [0x89, 0x50, 0x4E, 0x47]), ("image/jpeg", 0, [0xFF, 0xD8, 0xFF]),
            ("image/gif", 0, Array("GIF8".utf8)), ("image/webp", 8, Array("WEBP".utf8)),
            ("image/avif", 4, Array("ftypavif".utf8)), ("image/bmp", 0, Array("BM".utf8)),
            ("image/x-icon", 0, [0, 0, 1, 0]),
        ]
        return signatures.first { start.dropFirst($0.1).starts(with: $0.2) }?.0
    }

    /// The media type of a font, by its signature, or nil for any other body.
    var font: String? {
        let signatures: [(String, [UInt8])] = [
            ("font/woff2", Array("wOF2".utf8)), ("font/woff", Array("wOFF".utf8)), ("font/otf", Array("OTTO".utf8)),
            ("font/ttf", [0, 1, 0, 0]),
        ]
        return signatures.first { bytes.starts(with: $0.1) }?.0
    }

    /// The value of the API.
    var json: JSONValue {
        let kind = kind
        let fields = kind == "form" ? FormEncoding.items(of: (text ?? "")[...], invalidText: .repaired) : []
        let parts = kind == "multipart" ? MultipartBody(bytes, type: type)?.parts ?? [] : []
        let events = kind == "events" ? self.events : []
        let count = max(fields.count, parts.count, events.count)
        return [
            "size": .number(bytes.count), "type": .text(typeText), "kind": .text(kind), "isText": .bool(text != nil),
            "note": .text(note),
            "fields": kind == "form" ? .pairs(fields.prefix(Self.mostParts).map { ($0.name, $0.value) }) : .null,
            "parts": kind == "multipart" ? .array(parts.prefix(Self.mostParts).map(Self.part)) : .null,
            "operations": kind == "graphql" ? .array(operations) : .null,
            "events": kind == "events" ? .array(Array(events.prefix(Self.mostParts))) : .null,
            "more": .number(max(0, count - Self.mostParts)),
        ]
    }

    /// The maximum size of a part that is shown as text, in bytes.
    private static let largestPart = 4096

    private static func part(_ part: MultipartBody.Part) -> JSONValue {
        let text = part.content.count <= largestPart ? String(validating: part.content, as: UTF8.self) : nil
        return [
            "name": .text(part.name), "file": .text(part.fileName), "type": .text(part.type),
            "size": .number(part.content.count), "text": .text(text.flatMap { $0.utf8.contains(0) ? nil : $0 }),
        ]
    }

    /// The operations of a GraphQL request (https://graphql.github.io/graphql-over-http/draft/#sec-Request).
    private var operations: [JSONValue] {
        let first = text?.utf8.first { $0 > 0x20 }
        guard first == UInt8(ascii: "{") || first == UInt8(ascii: "["), let value = try? JSONValue(parsing: bytes)
        else {
            return []
        }
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

    private func event(_ bytes: Data, at offset: Int) -> JSONValue {
        var fields = ["event": "message"]
        var data: [Substring] = []
        for line in String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline) {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].hasPrefix(" ") ? parts[1].dropFirst() : parts[1] : ""
            if parts[0] == "data" { data.append(value) } else { fields[String(parts[0])] = String(value) }
        }
        return [
            "type": .text(fields["event"]), "id": .text(fields["id"]), "data": .text(data.joined(separator: "\n")),
            "time": .number(times.last { $0.offset <= offset }?.time),
        ]
    }

    /// The events of an event stream (https://html.spec.whatwg.org/multipage/server-sent-events.html).
    private var events: [JSONValue] {
        var start = 0
        return EventStream.ends(of: bytes).prefix(Self.mostParts + 1).map { end in
            defer { start = end }
            return event(bytes.dropFirst(start).prefix(end - start), at: start)
        }
    }
}
