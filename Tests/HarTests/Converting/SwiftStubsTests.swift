import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `ShopItemsStubs.swift` is what the tool writes, and is compiled with these tests.
@Suite struct SwiftStubsTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    @Test func `the code that is compiled here is what the tool writes`() async throws {
        let folder = try TemporaryFolder()
        let archive = Self.folder.appendingPathComponent("shop-items.har").path
        let run = try await HarRun("export", "--to", "swift", archive, in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let code = try Data(contentsOf: Self.folder.appendingPathComponent("ShopItemsStubs.swift"))
        #expect(run.output == String(decoding: code, as: UTF8.self))
    }

    @Test func `its rules answer as the archive does`() async throws {
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
            let (data, response) = try await first.data(for: request)
            let (expected, recorded) = try await second.data(for: request)
            #expect(data == expected)
            let answer = try #require(response as? HTTPURLResponse)
            let recordedAnswer = try #require(recorded as? HTTPURLResponse)
            #expect(answer.statusCode == recordedAnswer.statusCode)
            #expect(
                answer.value(forHTTPHeaderField: "Content-Type")
                    == recordedAnswer.value(forHTTPHeaderField: "Content-Type"))
        }
        let error = await #expect(throws: URLError.self) { try await first.data(for: get("/gone")) }
        #expect(error?.code == .cannotConnectToHost)
    }
}
