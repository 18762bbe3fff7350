import ArchiveInspection
import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of `ShopItemsStubs.swift`, which contains exported code and is compiled with these tests.
@Suite(.limited) struct SwiftStubsTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test func `the compiled code equals the exported code`() async throws {
        let folder = try TemporaryFolder()
        let archive = Self.folder.appendingPathComponent("shop-items.har").path
        let run = try await HarRun("export", "--to", "swift", archive, in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let code = try Data(contentsOf: Self.folder.appendingPathComponent("ShopItemsStubs.swift"))
        #expect(run.output == String(decoding: code, as: UTF8.self))
    }

    @Test func `the code for one entry equals the exported code of an archive with this entry`() async throws {
        let folder = try TemporaryFolder()
        let headers = [HAR.Header(name: "X-A", value: "1")]
        let entry = HAR.Entry.sample("POST", "https://a.test/", headers: headers, body: "b")
        let archive = try folder.write(HAR.Log.sample(entry), to: "a.har")
        let exported = ExportedEntry(entry: entry, index: 0, folder: HAR.BodyFolder(ofArchive: archive))
        let run = try await HarRun("export", "--to", "swift", "a.har", in: folder)
        #expect(SwiftExporter.file(of: exported, title: "a") == run.output)
        let socket = ExportedEntry(entry: .sample("GET", "wss://a.test/"), index: 0, folder: exported.folder)
        #expect(SwiftExporter.file(of: socket, title: "a") == nil)
    }

    @Test func `the rules return the same responses as the archive`() async throws {
        let archive = Self.folder.appendingPathComponent("shop-items.har")
        let stubs = Interceptor()
        stubs.add(ShopItemsStubs.rules)
        let replay = try Interceptor(archive: archive)
        let post = { (body: String) in
            var request = URLRequest(url: try #require(URL(string: "https://shop.test/items")))
            request.httpMethod = "POST"
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body.utf8)
            return request
        }
        let get = { (path: String) in URLRequest(url: try #require(URL(string: "https://shop.test\(path)"))) }
        let requests = try [
            post(#"{"id": 2}"#), get("/items"), get("/items"), get("/items"), get("/a.png"), post(#"{"id": 1}"#),
        ]
        let first = stubs.session()
        let second = replay.session()
        for request in requests {
            let (data, stubbed) = try await first.data(for: request)
            let (expected, recorded) = try await second.data(for: request)
            #expect(data == expected)
            let response = try #require(stubbed as? HTTPURLResponse)
            let recordedResponse = try #require(recorded as? HTTPURLResponse)
            #expect(response.statusCode == recordedResponse.statusCode)
            #expect(
                response.value(forHTTPHeaderField: "Content-Type")
                    == recordedResponse.value(forHTTPHeaderField: "Content-Type"))
        }
        let error = await #expect(throws: URLError.self) { try await first.data(for: get("/gone")) }
        #expect(error?.code == .cannotConnectToHost)
    }
}
