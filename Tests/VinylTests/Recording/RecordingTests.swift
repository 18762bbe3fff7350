import Foundation
import HTTPArchive
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct RecordingTests {
    private let folder: RecordingFolder

    init() throws { folder = try RecordingFolder() }

    private func turntable(_ mode: RecordingMode, vinyl name: String = "no_such_vinyl") -> Turntable {
        let strategy = MatchingStrategy.requestAttributes(types: [.method, .url], playTracksUniquely: false)
        let configuration = TurntableConfiguration(matchingStrategy: strategy, recordingMode: mode)
        return Turntable(
            vinylName: name, bundle: .module, turntableConfiguration: configuration, urlSession: folder.network,
            errorHandler: NotingErrorHandler())
    }

    @Test(arguments: ["new.har", "new.json", "deep/folder/new"])
    func `a missing vinyl is recorded as an archive under any file name`(name: String) async throws {
        let turntable = turntable(.missingVinyl(recordingPath: folder.path(name)))
        let request = URLRequest.to("http://a/1", method: "PUT", headers: ["X-A": "1"], body: "body")
        #expect(await turntable.play(request).text == "live PUT http://a/1 body")
        #expect(await turntable.play("http://a/2").response?.value(forHTTPHeaderField: "X-A") == "b")
        #expect(!FileManager.default.fileExists(atPath: folder.path(name)))
        turntable.stopRecording()
        #expect(try folder.recorded(name) == ["http://a/1", "http://a/2"])
        #expect(folder.requests.events.count == 2)
        // This turntable and the next one play the recorded tracks.
        for turntable in [turntable, self.turntable(.missingVinyl(recordingPath: folder.path(name)))] {
            #expect(await turntable.play(request).text == "live PUT http://a/1 body")
        }
        #expect(folder.requests.events.count == 2)
    }

    @Test func `uploads and awaited calls are recorded`() async throws {
        let turntable = turntable(.missingVinyl(recordingPath: folder.path("new.har")))
        let request = URLRequest.to("http://a/up", method: "POST")
        let body = try await turntable.upload(for: request, from: Data("abc".utf8)).0
        #expect(body == Data("live POST http://a/up abc".utf8))
        #expect(try await turntable.data(from: .of("http://a/down")).0.count > 0)
        turntable.stopRecording()
        #expect(try folder.recorded("new.har") == ["http://a/up", "http://a/down"])
    }

    @Test func `a deallocated turntable saves its recording`() async throws {
        do {
            let turntable = turntable(.missingVinyl(recordingPath: folder.path("new.har")))
            _ = await turntable.play("http://a/1")
        }
        // The task that just ended may still hold a reference.
        while !FileManager.default.fileExists(atPath: folder.path("new.har")) { await Task.yield() }
        var urls: [String] = []
        while urls.isEmpty { urls = (try? folder.recorded("new.har")) ?? [] }
        #expect(urls == ["http://a/1"])
    }

    @Test func `a file is written even if nothing was recorded`() throws {
        turntable(.missingVinyl(recordingPath: folder.path("empty.har"))).stopRecording()
        #expect(try folder.recorded("empty.har").isEmpty)
    }

    @Test func `an existing vinyl is played, and nothing is recorded`() async {
        let turntable = turntable(.missingVinyl(recordingPath: folder.path("new.har")), vinyl: "vinyl_single")
        #expect(await turntable.play("http://api.test.com").text == "hello")
        #expect((try? await turntable.data(from: .of("http://a/1"))) == nil)
        turntable.stopRecording()
        #expect(!FileManager.default.fileExists(atPath: folder.path("new.har")))
        #expect(folder.requests.events.isEmpty)
    }

    @Test func `missing tracks are added to the tracks of the vinyl`() async throws {
        let mode = RecordingMode.missingTracks(recordingPath: folder.path("more.har"))
        for round in 1...2 {
            let turntable = turntable(mode, vinyl: "vinyl_single")
            #expect(await turntable.play("http://api.test.com").text == "hello")
            #expect(await turntable.play("http://a/\(round)").text == "live GET http://a/\(round) ")
            turntable.stopRecording()
        }
        #expect(folder.requests.events == ["http://a/1", "http://a/2"])
        #expect(try folder.recorded("more.har") == ["http://api.test.com", "http://a/1", "http://a/2"])
    }

    @Test func `a vinyl in the old format is replaced by an archive`() async throws {
        let file = URL(fileURLWithPath: folder.path("old.json"))
        let old = try #require(Bundle.module.url(forResource: "vinyl_single", withExtension: "json"))
        try FileManager.default.copyItem(at: old, to: file)
        let turntable = turntable(.missingTracks(recordingPath: file.path))
        #expect(await turntable.play("http://api.test.com").text == "hello")
        _ = await turntable.play("http://a/1")
        turntable.stopRecording()
        #expect(try folder.recorded("old.json") == ["http://api.test.com", "http://a/1"])
        #expect(await turntable.play("http://api.test.com").text == "hello")
    }

    @Test func `without a path, recordings are saved in the bundle and take precedence over the old format`()
        async throws
    {
        let bundle = try #require(Bundle(url: folder.url))
        let old = try #require(Bundle.module.url(forResource: "vinyl_single", withExtension: "json"))
        try FileManager.default.copyItem(at: old, to: folder.url.appendingPathComponent("old.json"))
        for (round, name) in ["old", "new", "old"].enumerated() {
            let mode =
                name == "new" ? RecordingMode.missingVinyl(recordingPath: nil) : .missingTracks(recordingPath: nil)
            let turntable = Turntable(
                vinylName: name, bundle: bundle, turntableConfiguration: TurntableConfiguration(recordingMode: mode),
                urlSession: folder.network)
            _ = await turntable.play("http://a/\(round)")
            turntable.stopRecording()
        }
        #expect(try folder.recorded("old.har") == ["http://api.test.com", "http://a/0", "http://a/2"])
        #expect(try folder.recorded("new.har") == ["http://a/1"])
        #expect(try Data(contentsOf: old) == Data(contentsOf: folder.url.appendingPathComponent("old.json")))
    }

    @Test func `secrets are redacted, and requests with secrets still match`() async throws {
        let strategy = MatchingStrategy.requestAttributes(types: [.url, .headers], playTracksUniquely: true)
        let mode = RecordingMode.missingVinyl(recordingPath: folder.path("new.har"))
        let turntable = Turntable(
            vinylName: "no_such_vinyl", bundle: .module,
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy, recordingMode: mode),
            urlSession: folder.network)
        let request = URLRequest.to("http://a/1", headers: ["Authorization": "Bearer planted-secret"])
        for _ in 1...2 {
            #expect(await turntable.play(request).text == "live GET http://a/1 ")
            turntable.stopRecording()
        }
        #expect(try !String(contentsOfFile: folder.path("new.har"), encoding: .utf8).contains("planted-secret"))
    }

    @Test func `missing tracks of an in-memory vinyl are also recorded`() async throws {
        let own = TrackFactory.createErrorTrack(url: .of("http://a/0"), error: URLError(.timedOut))
        let mode = RecordingMode.missingTracks(recordingPath: folder.path("own.har"))
        let turntable = Turntable(
            vinyl: Vinyl(tracks: [own]), turntableConfiguration: TurntableConfiguration(recordingMode: mode),
            urlSession: folder.network)
        #expect(await turntable.play("http://a/0").error is URLError)
        _ = await turntable.play("http://a/1")
        turntable.stopRecording()
        #expect(try folder.recorded("own.har") == ["http://a/0", "http://a/1"])
        #expect(await turntable.play("http://a/0").error is URLError)
    }

    @Test func `loading another vinyl saves the recording`() async throws {
        let turntable = turntable(.missingVinyl(recordingPath: folder.path("new.har")))
        _ = await turntable.play("http://a/1")
        turntable.load(vinyl: "vinyl_single", bundle: .module)
        #expect(try folder.recorded("new.har") == ["http://a/1"])
        #expect(await turntable.play("http://api.test.com").text == "hello")
    }

    @Test func `mode 'none' records nothing`() async {
        let turntable = turntable(.none, vinyl: "vinyl_single")
        #expect((try? await turntable.data(from: .of("http://a/1"))) == nil)
        #expect(folder.requests.events.isEmpty)
    }

    @Test func `the network can be another turntable`() async throws {
        let tracks = [TrackFactory.createValidTrack(url: .of("http://a/1"), utf8Body: "from the other one")]
        let mode = RecordingMode.missingVinyl(recordingPath: folder.path("copy.har"))
        let turntable = Turntable(
            vinylName: "no_such_vinyl", bundle: .module,
            turntableConfiguration: TurntableConfiguration(recordingMode: mode),
            urlSession: Turntable(vinyl: Vinyl(tracks: tracks)))
        #expect(await turntable.play("http://a/1").text == "from the other one")
        turntable.stopRecording()
        #expect(await turntable.play("http://a/1").text == "from the other one")
    }

    @Test func `by default, the shared session is used as the network`() async throws {
        let mode = RecordingMode.missingVinyl(recordingPath: folder.path("refused.har"))
        let turntable = Turntable(
            vinylName: "no_such_vinyl", bundle: .module,
            turntableConfiguration: TurntableConfiguration(recordingMode: mode))
        let refusing = try RefusingPort()
        let error = await turntable.play(refusing.url("/")).error
        #expect((error as? URLError)?.code == .cannotConnectToHost)
        turntable.stopRecording()
        #expect(try folder.recorded("refused.har") == [refusing.url("/")])
        #expect((await turntable.play(refusing.url("/")).error as? URLError)?.code == .cannotConnectToHost)
    }

    @Test func `recorded header fields match when replayed, and redirects lead to the same URLs`() async throws {
        let strategy = MatchingStrategy.requestAttributes(types: [.url, .headers, .body], playTracksUniquely: true)
        let mode = RecordingMode.missingVinyl(recordingPath: folder.path("new.har"))
        let turntable = Turntable(
            vinylName: "no_such_vinyl", bundle: .module,
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy, recordingMode: mode),
            urlSession: folder.network)
        let request = URLRequest.to("http://a/start", headers: ["X-A": "1", "Accept": "text/plain"])
        for _ in 1...2 {
            let played = await turntable.play(request)
            #expect(played.text == "live GET http://a/end " && played.response?.url == .of("http://a/end"))
            turntable.stopRecording()
        }
        #expect(try folder.recorded("new.har") == ["http://a/start"])
    }
}
