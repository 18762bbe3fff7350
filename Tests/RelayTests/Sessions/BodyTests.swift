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

    /// A body that is stored in a file.
    private let large = String(repeating: "0123456789", count: 200_000)

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

    @Test(arguments: ["data", "file", "stream", "request"], [true, false])
    func `an upload is recorded with its body and matched by it`(kind: String, isLarge: Bool) async throws {
        let text = isLarge ? large : text
        let calls = ["response 200", "data \(text.utf8.count)", "end"]
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let server = try LoopbackServer { LoopbackServer.ok("\($0.body.count)") }
        let archive = file.appendingPathExtension("har")
        defer { try? FileManager.default.removeItem(at: archive) }
        var request = URLRequest(server.url("/"), method: "POST", headers: ["Content-Type": "text/plain"])
        let recorder = try Interceptor(recordingTo: archive, configuration: .patient)
        #expect(try await send(kind, request, text, file, with: recorder) == calls)
        _ = await recorder.finishRecording()
        #expect(server.requests.map(\.body) == [Data(text.utf8)])
        let recorded = try HARArchive(contentsOf: archive).entry(at: 0).request
        #expect(recorded.postData?.text == text)
        var configuration = Interceptor.Configuration.patient
        configuration.matching.required.append(.body)
        let player = try Interceptor(archive: archive, configuration: configuration)
        #expect(try await send(kind, request, text, file, with: player) == calls)
        request.setValue("1", forHTTPHeaderField: "X-Other")
        try Data("other".utf8).write(to: file)
        #expect(try await send(kind, request, "other", file, with: player) == ["end"])
        #expect(server.requests.count == 1)
    }

    /// Sends a body in one of the ways that URLSession offers, and returns the calls of the delegate.
    private func send(
        _ kind: String, _ request: URLRequest, _ text: String, _ file: URL, with interceptor: Interceptor
    ) async throws -> [String] {
        let body = Data(text.utf8)
        let delegate = RecordingDelegate(body: { InputStream(data: body) })
        let session = interceptor.session(delegate: delegate)
        var streamed = request
        streamed.httpBodyStream = InputStream(data: body)
        let task =
            switch kind {
            case "data": session.uploadTask(with: request, from: body)
            case "file": session.uploadTask(with: request, fromFile: file)
            case "stream": session.uploadTask(withStreamedRequest: request)
            default: session.dataTask(with: streamed)
            }
        _ = await delegate.run(task)
        return delegate.log.events
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
