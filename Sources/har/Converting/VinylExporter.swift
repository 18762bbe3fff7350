import ArchiveInspection
import Foundation
import HTTPArchive
import RecordingFormats

/// An exporter for Vinyl recordings, with the tracks in the archive's order.
struct VinylExporter: ArchiveExporter {
    static let losses: [ExportLoss] = [.messages, .repeatedFields]

    private var isEmpty = true

    func beginning(title: String) -> String { "[" }
    var end: String { "\n]\n" }

    mutating func text(of exported: ExportedEntry) -> String? {
        guard let track = ExportedTrack(exported, untypedIsText: true) else { return nil }
        defer { isEmpty = false }
        let value: JSONValue = ["request": track.request, "response": track.response]
        return (isEmpty ? "\n" : ",\n") + String(decoding: value.data(), as: UTF8.self)
    }
}

/// An exporter for DVR cassettes.
///
/// DVR replays the last of several equal requests first, so the exporter reverses the order of their entries.
struct DVRExporter: ArchiveExporter {
    static let losses: [ExportLoss] = [.messages, .repeatedFields]

    /// The parts of a request that DVR compares.
    private struct Request: Hashable {
        let method: String
        let url: String
        let body: HAR.Body
    }

    private var isEmpty = true

    func beginning(title: String) -> String {
        #"{"name":\#(String(decoding: JSONValue.text(title).data(), as: UTF8.self)),"interactions":["#
    }

    var end: String { "\n]}\n" }

    mutating func text(of exported: ExportedEntry) -> String? {
        guard let track = ExportedTrack(exported, untypedIsText: false) else { return nil }
        defer { isEmpty = false }
        let seconds = Self.seconds(exported.entry)
        let value: JSONValue = ["recorded_at": seconds, "request": track.request, "response": track.response]
        return (isEmpty ? "\n" : ",\n") + String(decoding: value.data(), as: UTF8.self)
    }

    /// Returns the recording time, formatted as in the imported cassette if the time is unchanged.
    private static func seconds(_ entry: HAR.Entry) -> JSONValue {
        let start = entry.startedDate?.timeIntervalSince1970
        guard let recorded = entry["_recorded_at"], let seconds = recorded.double, let start,
            abs(seconds - start) < 0.001
        else { return .double(start) }
        return recorded
    }

    /// Returns the given entry indices in output order.
    static func order(of indices: [Int], in archive: HARArchive) throws(HARError) -> [Int] {
        var groups: [Request: [Int]] = [:]
        for (position, index) in indices.enumerated() {
            let request = try archive.entry(at: index).request
            groups[Request(method: request.method, url: request.url, body: request.body), default: []].append(position)
        }
        var order = indices
        for group in groups.values { for (new, old) in zip(group, group.reversed()) { order[new] = indices[old] } }
        return order
    }
}

/// A request and its response in the format of Vinyl and DVR.
struct ExportedTrack {
    let request: JSONValue

    let response: JSONValue

    /// Creates the track for an entry, or returns nil if there was no response or a body was not captured.
    ///
    /// - Parameters:
    ///   - exported: The entry.
    ///   - untypedIsText: Whether a body without a media type is text, as for Vinyl, rather than Base64, as for DVR.
    init?(_ exported: ExportedEntry, untypedIsText: Bool) {
        let entry = exported.entry
        guard HAR.Response.statuses.contains(entry.response.status), let responseBody = exported.responseBody,
            let requestBody = exported.requestBody
        else { return nil }
        var request: JSONObject = ["method": .text(entry.request.method), "url": .text(entry.request.url)]
        Self.add(requestBody, headers: exported.requestHeaders, untypedIsText, to: &request)
        self.request = .object(request)
        var response: JSONObject = [
            "url": .text(entry.response["_url"]?.text ?? entry.request.url),
            "status": .integer(entry.response.status),
        ]
        Self.add(responseBody, headers: exported.responseHeaders, untypedIsText, to: &response)
        self.response = .object(response)
    }

    /// Adds the header fields and the body.
    ///
    /// Vinyl and DVR store a body as text, JSON or Base64, depending on Content-Type. Text is always UTF-8, and the
    /// bytes of JSON can change, so other bodies are added in a separate member, too.
    private static func add(
        _ body: Data, headers: [HAR.Header], _ untypedIsText: Bool, to object: inout JSONObject
    ) {
        var fields = fields(headers)
        if !body.isEmpty, !fields.contains(where: { $0.name.lowercased() == "content-encoding" }),
            let index = fields.firstIndex(where: { $0.name.lowercased() == "content-length" })
        {
            fields[index].value = String(body.count)
        }
        let type = fields.first { $0.name == typeName }?.value
        if !body.isEmpty {
            var isExact = true
            switch type {
            case let type? where type.hasPrefix("text/"):
                (object["body"], isExact) = text(body, type)
            case let type? where type.hasPrefix("application/json"):
                if String(validating: body, as: UTF8.self) != nil, let value = try? JSONValue(parsing: body),
                    value.object != nil || value.array != nil
                {
                    object["body"] = value
                    isExact = value.data() == body
                } else {
                    (object["body"], isExact) = text(body, type)
                }
            case nil where untypedIsText:
                (object["body"], isExact) = text(body, "")
            default: object["body"] = .text(body.base64EncodedString())
            }
            if !isExact { object[VinylRecording.bytesField] = .text(body.base64EncodedString()) }
        }
        let members = fields.map { JSONObject.Member(name: JSONString($0.name), value: .text($0.value)) }
        object["headers"] = .object(JSONObject(members: members))
    }

    /// Returns a body as text, and whether the text in UTF-8 has the same bytes.
    private static func text(_ body: Data, _ type: String) -> (JSONValue, Bool) {
        if let text = String(validating: body, as: UTF8.self) { return (.text(text), true) }
        let charset = MediaType(type)?.charset.flatMap(Charset.init(label:)) ?? .utf8
        return (.text(charset.decode(body)), false)
    }

    /// Returns fields with one value per name.
    ///
    /// `Content-Type` is capitalized as Vinyl and DVR expect.
    private static func fields(_ headers: [HAR.Header]) -> [(name: String, value: String)] {
        headers.merged(by: { $0.lowercased() }).map { field in
            (field.name.lowercased() == typeName.lowercased() ? typeName : field.name, field.value)
        }
    }

    private static let typeName = "Content-Type"
}
