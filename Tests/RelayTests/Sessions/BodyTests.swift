import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct BodyTests {
    private let session = Interceptor.responding { request in
        request.reply(request.body.map { String(decoding: $0, as: UTF8.self) } ?? "none")
    }.session()
    private let text = String(repeating: "0123456789", count: 20_000)

    @Test(arguments: ["GET", "POST"])
    func `an interceptor receives no body if the request has none`(method: String) async throws {
        #expect(try await session.text(URLRequest("https://example.com/", method: method)) == "none")
    }

    @Test func `the interceptor receives the body of a request`() async throws {
        #expect(try await session.text(URLRequest("https://example.com/", method: "POST", body: text)) == text)
    }

    @Test func `the interceptor receives the whole body from a stream`() async throws {
        var request = URLRequest("https://example.com/", method: "POST")
        request.httpBodyStream = InputStream(data: Data(text.utf8))
        #expect(try await session.text(request) == text)
    }

    @Test func `the interceptor receives the data of an upload`() async throws {
        let request = URLRequest("https://example.com/", method: "PUT")
        let (data, _) = try await session.upload(for: request, from: Data(text.utf8))
        #expect(data == Data(text.utf8))
    }

    @Test func `the interceptor receives the contents of an uploaded file`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let (data, _) = try await session.upload(for: URLRequest("https://example.com/", method: "PUT"), fromFile: file)
        #expect(data == Data(text.utf8))
    }

    @Test func `an upload of a missing file fails`() async {
        let error = await #expect(throws: URLError.self) {
            try await session.upload(
                for: URLRequest("https://example.com/", method: "PUT"), fromFile: URL("file:///no"))
        }
        #expect(error?.code == .fileDoesNotExist)
    }

    @Test func `the interceptor receives the body from the stream that an upload's delegate provides`() async {
        let body = Data(text.utf8)
        let delegate = RecordingDelegate(body: { InputStream(data: body) })
        let session = Interceptor.responding { $0.reply("\($0.body?.count ?? -1)") }.session(delegate: delegate)
        let request = URLRequest("https://example.com/", method: "POST")
        let error = await delegate.run(session.uploadTask(withStreamedRequest: request))
        #expect(error == nil)
        #expect(delegate.log.events == ["response 200", "data 200000", "end"])
    }

    @Test func `the interceptor receives the body of an upload with a completion handler`() async {
        let request = URLRequest("https://example.com/", method: "POST")
        let data: Data? = await withCheckedContinuation { continuation in
            session.uploadTask(with: request, from: Data("up".utf8)) { data, _, _ in
                continuation.resume(returning: data)
            }
            .resume()
        }
        #expect(data == Data("up".utf8))
    }
}
