import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct BodyTests {
    @Test func `har body writes the bytes of a body`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        #expect(try await HarRun("body", "shop.har", "0", in: folder).output == "<h1>Grüße</h1>")
        #expect(try await HarRun("body", "shop.har", "2", in: folder).data == Data([137, 80, 78, 71, 13, 10]))
        #expect(try await HarRun("body", "shop.har", "1", in: folder).data == Data())
        #expect(try await HarRun("body", "--request", "shop.har", "1", in: folder).output == "item=1")
    }

    @Test func `har body reads a body from its body file`() async throws {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil)
        entry.response.content["_file"] = "abc.txt"
        try folder.write(.sample(entry), to: "a.har")
        let missing = try await HarRun("body", "a.har", "0", in: folder)
        #expect(missing.status == 1)
        #expect(missing.errors.hasPrefix("har: error: FOLDER/abc.txt: "))
        try folder.write(Data("from a file".utf8), to: "abc.txt")
        #expect(try await HarRun("body", "a.har", "0", in: folder).output == "from a file")
    }

    @Test func `printing a body that was not captured fails`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("body", "shop.har", "5", in: folder)
        #expect(run.status == 1)
        #expect(run.data.isEmpty)
        #expect(
            run.errors == """
                har: error: shop.har: /log/entries/5: the response body was not captured; capture the archive again \
                with bodies [bodyNotCaptured]

                """)
    }

    @Test func `the error for an invalid entry index contains the valid range`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun("body", "shop.har", "7", in: folder)
        #expect(run.status == 1)
        #expect(run.errors == "har: error: shop.har: expected an entry index (0 to 6), found 7 [invalidSetting]\n")
    }
}
