import Foundation
import HTTPArchive
import Relay
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ErrorHandlerTests {
    private let url = URL.of("http://api.test.com/missing")

    /// Returns the errors of the issues that a closure records.
    private func issues(_ body: () async throws -> Void) async throws -> [String] {
        let log = Log<String>()
        try await withKnownIssue(isIntermittent: true) {
            try await body()
        } matching: { issue in
            log.append(issue.error.map { "\($0)" } ?? "other")
            return true
        }
        return log.events
    }

    @Test func `a missing track fails the request and the test, and lists the differences from the nearest tracks`()
        async throws
    {
        let log = Log<(any Error)?>()
        let issues = try await issues {
            let turntable = Turntable(vinylName: "vinyl_single", bundle: .module)
            log.append(await turntable.play(url.absoluteString).error)
        }
        #expect(log.events.map { ($0 as? RelayError)?.code } == [.noMatchingEntry])
        #expect(issues.count == 1)
        #expect(issues.first?.contains("vinyl_single.json: No entry matches GET http://api.test.com/missing.") == true)
        #expect(issues.first?.contains("+ /missing") == true)
    }

    @Test func `a missing track in an awaited call also fails the test`() async throws {
        let issues = try await issues {
            let turntable = Turntable(vinyl: Vinyl(tracks: []))
            await #expect(throws: RelayError.self) { try await turntable.data(from: url) }
            await #expect(throws: RelayError.self) {
                try await Turntable(configuration: TurntableConfiguration()).data(from: url)
            }
        }
        #expect(issues.count == 2)
    }

    @Test func `a custom handler is called instead of the completion handler`() async {
        let handler = NotingErrorHandler()
        let turntable = Turntable(
            vinylName: "vinyl_single", bundle: .module,
            turntableConfiguration: TurntableConfiguration(recordingMode: .none), errorHandler: handler)
        let completed = Log<Bool>()
        let task = turntable.dataTask(with: url) { _, _, _ in completed.append(true) }
        task.resume()
        while task.state != .completed { await Task.yield() }
        // The delegate queue is serial, so this request ends after the previous one.
        #expect(await turntable.play("http://api.test.com").text == "hello")
        #expect(completed.events.isEmpty)
        #expect(handler.log.events == ["GET http://api.test.com/missing true"])
        await #expect(throws: RelayError.self) { try await turntable.data(from: url) }
        #expect(handler.log.events.count == 2)
    }

    @Test func `the default error handler fails the test, and the request receives an error`() async throws {
        let completed = Log<(any Error)?>()
        let issues = try await issues {
            let turntable = Turntable(vinyl: Vinyl(tracks: []))
            turntable.errorHandler = DefaultErrorHandler()
            completed.append(await turntable.play(url.absoluteString).error)
            let handler: any ErrorHandler = DefaultErrorHandler()
            handler.handleTrackNotFound(.to("http://a/?token=secret"), playTracksUniquely: true)
            handler.handleUnknownError()
        }
        #expect(completed.events.map { ($0 as? RelayError)?.code } == [.noMatchingEntry])
        #expect(issues.count == 3 && !issues.joined().contains("secret"))
    }

    @Test func `a handler receives the setting for unique playback, and can be set later`() async {
        let strategy = MatchingStrategy.requestAttributes(types: [.url], playTracksUniquely: false)
        for (strategy, isUnique) in [(strategy, false), (.trackOrder, true)] {
            let turntable = Turntable(
                vinyl: Vinyl(tracks: []), turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
            let handler = NotingErrorHandler()
            turntable.errorHandler = handler
            _ = try? await turntable.data(from: url)
            #expect(handler.log.events == ["GET http://api.test.com/missing \(isUnique)"])
        }
    }

    @Test(arguments: ["no_such_vinyl", "broken"])
    func `a missing or invalid vinyl fails the test, or is reported to a custom handler`(name: String) async throws {
        let configuration = TurntableConfiguration(recordingMode: .none)
        let issues = try await issues {
            _ = Turntable(vinylName: name, bundle: .module, turntableConfiguration: configuration)
        }
        #expect(issues.count == 1 && issues.first?.contains(name) == true)
        let handler = NotingErrorHandler()
        let turntable = Turntable(
            vinylName: name, bundle: .module, turntableConfiguration: configuration, errorHandler: handler)
        #expect(handler.log.events == ["unknown"])
        _ = try? await turntable.data(from: url)
        #expect(handler.log.events == ["unknown", "GET http://api.test.com/missing true"])
    }

    @Test func `a vinyl that cannot be written is reported`() async throws {
        let folder = try RecordingFolder()
        let handler = NotingErrorHandler()
        let mode = RecordingMode.missingVinyl(recordingPath: "/dev/null/new.har")
        let turntable = Turntable(
            vinylName: "no_such_vinyl", bundle: .module,
            turntableConfiguration: TurntableConfiguration(recordingMode: mode),
            urlSession: folder.network, errorHandler: handler)
        #expect(await turntable.play("http://a/1").text == "live GET http://a/1 ")
        turntable.stopRecording()
        #expect(!handler.log.events.isEmpty && handler.log.events.allSatisfy { $0 == "unknown" })
    }

    @Test func `plastic without valid tracks fails the test`() async throws {
        let issues = try await issues { _ = Vinyl(plastic: [["response": ["url": 1]]]) }
        #expect(issues.count == 1)
        #expect(try await self.issues { _ = Vinyl(plastic: [["response": Date()]]) }.count == 1)
    }
}
