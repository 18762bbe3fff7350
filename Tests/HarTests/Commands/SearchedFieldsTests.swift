import Foundation
import HTTPArchive
import Testing

/// Searches cookies in header fields, and forms with files.
@Suite(.limited) struct SearchedFieldsTests {
    private func search(_ arguments: String..., in log: HAR.Log) async throws -> HarRun {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        return try await HarRun(["search", "a.har"] + arguments, in: folder)
    }

    @Test func `cookies in header fields are searched as cookies`() async throws {
        var entry = HAR.Entry.sample("GET", "https://a.test/")
        entry.request.headers = [HAR.Header(name: "Cookie", value: "a=needle; b=2")]
        entry.response.headers = [HAR.Header(name: "Set-Cookie", value: "c=needle; Path=/needle\nd=3")]
        let run = try await search("needle", "--in", "cookies", in: .sample(entry))
        #expect(
            run.output == """
                0 GET 200 https://a.test/
                    request cookie: a=needle
                    response cookie: c=needle

                """)
        let pair = try await search("a=needle", "--in", "headers,cookies", in: .sample(entry))
        #expect(pair.output.hasSuffix("\n    request header: Cookie: a=needle; b=2\n"), "\(pair.output)")
    }

    @Test func `fields of a form are searched if its text was not recorded`() async throws {
        var entry = HAR.Entry.sample("POST", "https://a.test/")
        entry.request.postData = HAR.PostData(
            mimeType: "multipart/form-data",
            params: [HAR.Parameter(name: "f", fileName: "needle.png"), HAR.Parameter(name: "t", value: "a needle")])
        let run = try await search("needle", in: .sample(entry))
        #expect(run.output.contains("\n    request body:1: f needle.png\n"), "\(run.output)")
        #expect(run.output.hasSuffix("\n    request body:1: a needle\n"), "\(run.output)")
    }

    @Test func `the text parts of a form that was recorded as text are searched`() async throws {
        let parts = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f.bin\"\r\n\r\n\u{0}\r\n"
        let rest = "--b\r\nContent-Disposition: form-data; name=\"c\"\r\n\r\nneedle\r\n--b--\r\n"
        var entry = HAR.Entry.sample("POST", "https://a.test/")
        entry.request.postData = HAR.PostData(mimeType: "multipart/form-data; boundary=b", text: parts + rest)
        #expect(try await search("needle", in: .sample(entry)).status == 0)
        #expect(try await search("f.bin", in: .sample(entry)).status == 0)
    }

    @Test func `the text parts of a form with files are searched`() async throws {
        let parts = "--b\r\nContent-Disposition: form-data; name=\"a\"; filename=\"f.png\"\r\n\r\n"
        let rest = "\r\n--b\r\nContent-Disposition: form-data; name=\"c\"\r\n\r\nneedle\r\n--b--\r\n"
        var entry = HAR.Entry.sample("POST", "https://a.test/")
        let body = Data(parts.utf8) + [0x89, 0x00, 0xFF] + Data(rest.utf8)
        entry.request.postData = HAR.PostData(
            mimeType: "multipart/form-data; boundary=b", text: body.base64EncodedString())
        entry.request.postData?["_encoding"] = "base64"
        #expect(try await search("needle", in: .sample(entry)).output.hasSuffix("    request body:1: needle\n"))
        #expect(try await search("f.png", in: .sample(entry)).output.hasSuffix("    request body:1: a f.png\n"))
    }
}
