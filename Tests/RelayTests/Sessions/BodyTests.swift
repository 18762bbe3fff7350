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

    #if os(Linux)
        @Test func `parallel uploads of large files and streams are not kept in memory`() async throws {
            let session = Interceptor.responding { request in
                guard let body = request.body, let byte = body.first else { return request.reply("none") }
                let isWhole = body.allSatisfy { $0 == byte }
                return request.reply("\(byte) \(body.count) \(isWhole) \(Self.isInFile(body))")
            }.session()
            let request = URLRequest("https://example.com/", method: "PUT")
            try await withThrowingTaskGroup { group in
                for number in UInt8(0)..<24 {
                    let count = 3 << 20 + Int(number)
                    let body = Data(repeating: number, count: count)
                    group.addTask {
                        var answer: String
                        if number % 2 == 0 {
                            var request = request
                            request.httpBodyStream = InputStream(data: body)
                            answer = try await session.text(request)
                        } else {
                            let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
                            try body.write(to: file)
                            defer { try? FileManager.default.removeItem(at: file) }
                            let (data, _) = try await session.upload(for: request, fromFile: file)
                            answer = String(decoding: data, as: UTF8.self)
                        }
                        #expect(answer == "\(number) \(count) true true")
                    }
                }
                try await group.waitForAll()
            }
        }

        /// Whether bytes are mapped from a file.
        private static func isInFile(_ data: Data) -> Bool {
            let address = data.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
            return maps.split(separator: "\n").contains { line in
                // Start and end, permissions, offset, device, inode, path.
                let fields = line.split(separator: " ", omittingEmptySubsequences: true)
                let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
                return bounds.count == 2 && bounds[0]..<bounds[1] ~= address && fields[4] != "0"
            }
        }
    #endif

    @Test func `an upload of a folder fails`() async {
        let error = await #expect(throws: URLError.self) {
            try await session.upload(
                for: URLRequest("https://example.com/", method: "PUT"),
                fromFile: FileManager.default.temporaryDirectory)
        }
        #expect(error?.code == .noPermissionsToReadFile)
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
