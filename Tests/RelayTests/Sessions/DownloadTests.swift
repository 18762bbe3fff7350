import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct DownloadTests {
    private let url = "https://example.invalid/file"

    /// A body of several parts.
    private let large = String(repeating: "0123456789", count: 5_000)

    @Test func `a download is answered in every kind of session`() async throws {
        let interceptor = Interceptor.responding { $0.reply("\($0.method) \($0.url)") }
        let installed = URLSessionConfiguration.default
        interceptor.install(in: installed)
        for session in [interceptor.session(), URLSession(configuration: installed)] {
            #expect(try await session.downloadedText(url) == "GET \(url)")
        }
        let others = [URLSession.shared, URLSession(configuration: .default), URLSession(configuration: .ephemeral)]
        try await interceptor.interceptEverySession {
            for session in others {
                let text = try await session.downloadedText(url)
                #expect(text == "GET \(url)")
            }
        }
        let (file, response) = try await interceptor.session().download(for: URLRequest(url, method: "POST"))
        #expect(try String(contentsOf: file, encoding: .utf8) == "POST \(url)")
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
        #expect(FileManager.default.fileExists(atPath: file.path))
        try FileManager.default.removeItem(at: file)
    }

    @Test func `a delegate receives the progress of a download in parts, on its queue`() async throws {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let delegate = DownloadDelegate()
        let response = InterceptedResponse(
            url: url, headers: [HeaderField(name: "Content-Length", value: "50000")], body: Data(large.utf8))
        let configuration = URLSessionConfiguration.ephemeral
        let interceptor = Interceptor.with(.stub(.any, .response(response)))
        interceptor.install(in: configuration)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        let task = session.downloadTask(with: URL(url))
        #expect(await delegate.run(task) == nil)
        #expect(delegate.parts.events == [16_384, 16_384, 16_384, 848])
        let totals = [16_384, 32_768, 49_152, 50_000]
        #expect(delegate.log.events == totals.map { "\($0) of 50000" } + ["file 50000", "end"])
        #expect(task.countOfBytesReceived == 50_000 && task.countOfBytesExpectedToReceive == 50_000)
        for file in delegate.files.events { try FileManager.default.removeItem(at: file) }
    }

    #if canImport(FoundationNetworking)
        @Test func `an awaited download reports its progress to its own delegate`() async throws {
            let delegate = DownloadDelegate()
            let session = Interceptor.saying("file").session()
            let (file, _) = try await session.download(from: URL(url), delegate: delegate)
            #expect(try String(contentsOf: file, encoding: .utf8) == "file")
            #expect(delegate.log.events == ["4 of -1"])
            try FileManager.default.removeItem(at: file)
        }
    #endif

    @Test func `a download without a receiver completes`() async throws {
        let task = Interceptor.saying("file").session().downloadTask(with: URL(url))
        task.resume()
        try await wait { task.state == .completed }
        #expect((task.response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func `parallel downloads in the shared session receive the responses of their scopes`() async throws {
        let right = try await withThrowingTaskGroup(of: Bool.self) { group in
            for index in 0..<20 {
                let interceptor = Interceptor.responding { $0.reply("\(index) \($0.url)") }
                for request in 0..<10 {
                    group.addTask {
                        let url = "https://example.invalid/\(request)"
                        return try await interceptor.interceptEverySession {
                            try await URLSession.shared.downloadedText(url) == "\(index) \(url)"
                        }
                    }
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(right == 200)
    }

    @Test func `a download outside the scope uses the network meanwhile`() async throws {
        let server = try LoopbackServer { LoopbackServer.ok($0.target) }
        async let live = Task.detached { [url = server.url("/live")] in
            try await URLSession(configuration: .ephemeral).downloadedText(url)
        }.value
        let text = try await Interceptor.saying("stub").interceptEverySession {
            try await URLSession(configuration: .ephemeral).downloadedText("https://example.invalid/")
        }
        #expect(text == "stub")
        #expect(try await live == "/live")
    }

    // MARK: - Failures

    @Test func `a miss fails every form of a download`() async throws {
        let interceptor = Interceptor(entries: [.entry("GET", "https://example.invalid/other")])
        let session = interceptor.session()
        let error = await #expect(throws: RelayError.self) { try await session.download(from: URL(url)) }
        #expect(error?.code == .noMatchingEntry)
        let handled: (file: URL?, error: (any Error)?) = await withCheckedContinuation { continuation in
            session.downloadTask(with: URL(url)) { continuation.resume(returning: ($0, $2)) }.resume()
        }
        #expect(handled.file == nil && (handled.error as? RelayError)?.code == .noMatchingEntry)
        let delegate = DownloadDelegate()
        let own = interceptor.session(delegate: delegate)
        #expect((await delegate.run(own.downloadTask(with: URL(url))) as? RelayError)?.code == .noMatchingEntry)
        #expect(delegate.log.events == ["end"])
    }

    @Test func `a download whose connection is lost reports its progress and delivers no file`() async throws {
        let delegate = DownloadDelegate()
        let interceptor = Interceptor.with(.stub(.any, .text("0123456789")), .override(.any, .cutOff(afterBytes: 4)))
        let error = await delegate.run(interceptor.session(delegate: delegate).downloadTask(with: URL(url)))
        #expect((error as? URLError)?.code == .networkConnectionLost)
        #expect(delegate.log.events.map { $0.prefix(1) } == ["4", "e"])
        await #expect(throws: URLError.self) { try await interceptor.session().download(from: URL(url)) }
    }

    #if canImport(FoundationNetworking)
        @Test func `the file of a failed download is removed`() throws {
            var download: Download? = Download()
            let url = try #require(download?.url)
            try download?.append(Data("part".utf8))
            #expect(FileManager.default.fileExists(atPath: url.path))
            download = nil
            #expect(!FileManager.default.fileExists(atPath: url.path))
        }

        @Test func `a download fails if its file cannot be written`() {
            var calls = FileSystemCalls()
            calls.write = { _, _, _ in
                errno = ENOSPC
                return -1
            }
            let download = FileSystemCalls.$current.withValue(calls) { Download() }
            let error = #expect(throws: URLError.self) { try download.append(Data("part".utf8)) }
            #expect(error?.code == .cannotWriteToFile)
            #expect(error?.localizedDescription.contains("No space left") == true)
        }

        @Test func `a WebSocket fails with an error that names the server`() async throws {
            let error = await #expect(throws: RelayError.self) {
                try await Interceptor.saying("x").session().text("ws://example.invalid/")
            }
            #expect(error?.code == .unsupportedTask)
            #expect(error?.message.contains("Interceptor.serve") == true)
        }
    #endif

    // MARK: - Delivery

    @Test func `overrides and the pace apply to a download`() async throws {
        let clock = NotingClock()
        var configuration = Interceptor.Configuration.patient
        configuration.clock = clock
        let interceptor = Interceptor(name: "test", configuration: configuration)
        var reply = Reply.text("live text")
        reply.pace = Pace(delay: .seconds(1), transfer: .seconds(10))
        interceptor.add([.stub(.any, reply), .override(.any, .replacing("live", with: "changed"))])
        let delegate = DownloadDelegate()
        #expect(await delegate.run(interceptor.session(delegate: delegate).downloadTask(with: URL(url))) == nil)
        #expect(delegate.parts.events.count == 12)
        #expect(delegate.log.events.suffix(2) == ["file 12", "end"])
        #expect(clock.waits.reduce(.zero, +) >= .seconds(10))
        for file in delegate.files.events { try FileManager.default.removeItem(at: file) }
    }

    @Test(arguments: [true, false])
    func `a large body is read from its file in parts`(isInBodyFile: Bool) async throws {
        let archives = try TemporaryArchives()
        let archive = archives.folder.appendingPathComponent("large.har")
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7919 >> 3) })
        var settings = RecordingConfiguration()
        if isInBodyFile { settings.bodies = .attach }
        let exchange = CapturedExchange.exchange(fields: ["Content-Type": "image/png"], received: body)
        let entry = try exchange.entry(settings, in: archives.folder)
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [entry]).write(to: archive)
        let interceptor = try Interceptor(archive: archive, configuration: .patient)
        let recordedURL = entry.request.url
        let delegate = DownloadDelegate()
        let task = interceptor.session(delegate: delegate).downloadTask(with: URL(recordedURL))
        #expect(await delegate.run(task) == nil)
        let file = try #require(delegate.files.events.first)
        #expect(try Data(contentsOf: file) == body)
        #expect(delegate.parts.events.allSatisfy { $0 <= 16_384 })
        #expect(delegate.parts.events.reduce(0, +) == 3_000_000)
        try FileManager.default.removeItem(at: file)
        // A data task for the same entry has the body in memory.
        #expect(try await interceptor.session().data(from: URL(recordedURL)).0 == body)
    }

    @Test func `a download is recorded like a data task`() async throws {
        let server = try LoopbackServer { [large] _ in LoopbackServer.ok(large) }
        let recorded = RecordedExchanges()
        let session = recorded.interceptor().session()
        #expect(try await session.downloadedText(server.url("/")) == large)
        #expect(try await session.text(server.url("/")) == large)
        let exchanges = await recorded.first(2)
        #expect(exchanges[0].body.data == Data(large.utf8))
        #expect(exchanges[0].head?.status == 200 && exchanges[1].head?.status == 200)
        #expect(exchanges[0].head?.headers == exchanges[1].head?.headers)
        #expect(exchanges[0].request == exchanges[1].request)
    }

    @Test func `observers see the size of a download`() async throws {
        let interceptor = Interceptor.saying(large)
        let exchanges = interceptor.exchanges
        _ = try await interceptor.session().downloadedText(url)
        interceptor.stop()
        let sizes = await exchanges.reduce(into: []) { $0.append($1.bodySize) }
        #expect(sizes == [50_000])
    }
}
