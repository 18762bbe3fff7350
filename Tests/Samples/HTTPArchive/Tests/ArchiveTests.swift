import Foundation
import HTTPArchive
import Testing

@Test func `an archive is written, read and redacted`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("shop.har")
    let entry = HAR.Entry(
        startedDateTime: "2026-01-01T00:00:00.000Z", time: 1,
        request: HAR.Request(method: "GET", url: "https://shop.example/items?token=0dJ7bkzQ"),
        response: HAR.Response(status: 200, content: HAR.Content(size: 2, mimeType: "text/plain", text: "ok")))
    try HAR.Log(creator: HAR.Creator(name: "Sample", version: "1"), entries: [entry]).write(to: file)
    let archive = try HARArchive(contentsOf: file)
    #expect(archive.count == 1)
    let redacted = try HARRedactor(.standard).redacted(try archive.entry(at: 0))
    #expect(!redacted.request.url.contains("0dJ7bkzQ"))
}
