import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HAREntryFactsTests {
    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("HARSamples")

    private func expectEqual(in archive: HARArchive) throws {
        for index in 0..<archive.count {
            let entry = try archive.entry(at: index)
            let known = HAREntryFacts(of: archive, at: index)
            let read = HAREntryFacts(of: entry)
            #expect(known.method == read.method && read.method == entry.request.method)
            #expect(known.url == read.url && read.url == entry.request.url)
            #expect(known.status == read.status && read.status == entry.response.status)
            #expect(known.startedDateTime == read.startedDateTime && read.startedDate == entry.startedDate)
            #expect(known.time == read.time && read.time == entry.time)
            #expect(known.pageref == read.pageref && read.pageref == entry.pageref)
            #expect(known.isFailed == read.isFailed && read.isFailed == (entry.failure != nil))
            #expect(try known.mediaType == read.mediaType && read.mediaType == entry.response.mediaType)
            #expect(try known.decodedBodySize == read.decodedBodySize)
            #expect(try read.decodedBodySize == entry.response.decodedBodySize)
            #expect(known.byteCount == read.byteCount)
            #expect(try known.entry == entry)
        }
    }

    @Test(arguments: ["chromium-embed.har", "chromium-omit.har", "firefox.har", "mitmproxy.har"])
    func `facts from an archive's summaries equal those from its entries`(name: String) throws {
        try expectEqual(in: HARArchive(contentsOf: Self.samples.appendingPathComponent(name)))
    }

    @Test func `values missing from a summary are read from the entry`() throws {
        let folder = try TemporaryFolder()
        let response =
            #"{"headers":[{"name":"Content-Type","value":"image/png"}],"content":{"text":"AAAA","encoding":"base64"}}"#
        let text = #"{"log":{"entries":[{"response":\#(response)},{"_error":"gone"},{}]}}"#
        let archive = try HARArchive(contentsOf: folder.file("a.har", holding: text))
        try expectEqual(in: archive)
        #expect(try HAREntryFacts(of: archive, at: 0).mediaType?.essence == "image/png")
        #expect(try HAREntryFacts(of: archive, at: 0).decodedBodySize == 3)
        #expect(try archive.indices(selectedBy: .mediaType("image/*")) == [0])
        let later = HAREntryFilter { _, index in index > 0 }
        #expect(try archive.indices(selectedBy: .all(of: [.failed, later])) == [1, 2])
    }

    @Test func `filtering fails at an unreadable entry only if the filter needs to read it`() throws {
        let folder = try TemporaryFolder()
        let text = #"{"log":{"entries":[{"request":{"method":"GET"},"x":[1,,2]},{}]}}"#
        let archive = try HARArchive(contentsOf: folder.file("a.har", holding: text))
        #expect(try archive.indices(selectedBy: .method("GET")) == [0])
        let error = #expect(throws: HARError.self) { try archive.indices(selectedBy: .bodySize(0...9)) }
        #expect(error?.code == .malformedJSON)
    }
}
