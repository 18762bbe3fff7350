import Foundation
import HTTPArchive
import RelayCore
import Testing

@testable import ArchiveView

/// The server of a page over an archive in a temporary folder.
struct Page {
    static let origin = "http://127.0.0.1:8080"
    let responder: ViewResponder

    /// Writes an archive, and creates the server of its page.
    init(_ entries: [HAR.Entry] = Self.entries, live: LiveTraffic? = nil) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("ArchiveView-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("shop.har")
        let writer = try HARWriter(to: file)
        for entry in entries { try writer.append(entry) }
        try writer.finish()
        responder = ViewResponder([try HARArchive(contentsOf: file)], live: live, filesIn: folder, token: "secret")
    }

    /// Entries with different values in each column.
    static let entries: [HAR.Entry] = [
        entry(
            "https://b.example/items?page=2", type: "application/json", text: #"{"id": 12345678901234567890}"#, time: 20
        ),
        entry(
            "https://a.example/Logo.PNG", status: 404, type: "text/html; charset=utf-8", text: "<b>no</b>", time: 300),
        entry("https://b.example/form", method: "POST", status: 500, type: "text/plain", text: "", time: 5),
    ]

    static func entry(
        _ url: String, method: String = "GET", status: Int = 200, type: String, text: String, time: Double = 1,
        headers: [HAR.Header] = []
    ) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-01-31T12:00:00.000Z", time: time,
            request: HAR.Request(method: method, url: url, headers: headers),
            response: HAR.Response(
                status: status, content: HAR.Content(size: text.utf8.count, mimeType: type, text: text)))
    }

    /// Returns the response to a request of the page.
    func response(
        _ path: String, post body: String? = nil, headers: [HeaderField] = [], token: String = "secret",
        origin: String = origin
    ) async throws -> InterceptedResponse {
        var request = InterceptedRequest(
            method: body == nil ? "GET" : "POST", url: "\(origin)/\(token)/\(path)", headers: headers)
        if let body {
            request.body = Data(body.utf8)
            request.headers.append(HeaderField(name: "Content-Type", value: "application/json"))
        }
        return try await responder.reply(to: request).result.get()
    }

    /// Returns the JSON of a successful response.
    func json(_ name: String, post body: String? = nil) async throws -> JSONValue {
        let response = try await response("api/1/\(name)", post: body)
        #expect(response.status == 200, "\(String(decoding: response.body, as: UTF8.self))")
        return try JSONValue(parsing: response.body)
    }

    /// Returns the indices of the rows of a list.
    func indices(_ query: String) async throws -> [Int] {
        try await json("rows?\(query)")["rows"]?.array?.compactMap { $0["i"]?.int } ?? []
    }
}
