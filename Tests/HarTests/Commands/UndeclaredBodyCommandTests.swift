import Foundation
import HTTPArchive
import Testing

/// Bodies in Base64 or with their content coding, although the archive does not declare it.
@Suite(.limited) struct UndeclaredBodyCommandTests {
    private static let png = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(0..<40))
    private static let page = "<p>needle</p>\n"

    private func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        var image = HAR.Entry.sample("GET", "https://a.test/a.png", body: Self.png.base64EncodedString())
        image.response.headers = [HAR.Header(name: "Content-Type", value: "image/png")]
        image.response.content.mimeType = "image/png"
        image.response.content.size = Self.png.count
        // The page with gzip.
        var page = HAR.Entry.sample("GET", "https://a.test/b", body: "H4sIAAAAAAAAA7MpsMtLTU3JSbXRL7DjAgDE5QMdDgAAAA==")
        page.response.headers = [HAR.Header(name: "Content-Encoding", value: "gzip")]
        page.response.content.mimeType = "text/html"
        page.response.content.encoding = "base64"
        page.response.content.size = nil
        // The page with gzip, in Base64 that is not marked, and truncated.
        var unmarked = page
        unmarked.request.url = "https://a.test/c"
        unmarked.response.content.encoding = nil
        var truncated = page
        truncated.request.url = "https://a.test/d"
        truncated.response.content.text = "H4sIAAAAAAAAA7MpsMtLTU3JSbXRL7A="
        try folder.write(.sample(image, page, unmarked, truncated), to: "a.har")
        return folder
    }

    @Test func `the commands show, search and write the decoded bodies`() async throws {
        let folder = try folder()
        #expect(try await HarRun("body", "a.har", "0", in: folder).data == Self.png)
        #expect(try await HarRun("body", "a.har", "1", in: folder).output == Self.page)
        #expect(try await HarRun("show", "a.har", "1", in: folder).output.contains("<p>needle</p>"))
        let found = try await HarRun("search", "a.har", "needle", in: folder).output
        #expect(["https://a.test/b", "https://a.test/c"].allSatisfy(found.contains))
        let replay = try await HarRun("replay", "a.har", in: folder)
        #expect(replay.output == "4 requests: 4 answered as recorded, 0 different, 0 failed as recorded\n")
    }

    @Test func `the encoding is reported, and har repair adds it`() async throws {
        let folder = try folder()
        let check = try await HarRun("check", "a.har", in: folder).output
        #expect(check.contains("unmarked-base64") && check.contains("/log/entries/0/response/content/text"))
        #expect(check.contains("content-coding") && check.contains("/log/entries/1/response/content/text"))
        #expect(!check.contains("size-mismatch"))
        #expect(try await HarRun("repair", "a.har", in: folder).output.contains("Added `encoding`"))
        let repaired = try HARArchive(contentsOf: folder.url.appendingPathComponent("a.har"))
        let response = try repaired.entry(at: 0).response
        #expect(response.content.encoding == "base64")
        #expect(response.content.text == Self.png.base64EncodedString())
        #expect(try !(await HarRun("check", "a.har", in: folder).output.contains("unmarked-base64")))
    }
}
