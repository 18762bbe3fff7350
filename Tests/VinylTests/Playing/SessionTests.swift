import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of a turntable used as a `URLSession`.
@Suite(.limited) struct SessionTests {
    private let url = URL.of("http://api.test.com/1")

    private var vinyl: Vinyl { Vinyl(tracks: [TrackFactory.createValidTrack(url: url, utf8Body: "hello")]) }

    @Test func `tasks are created suspended`() async {
        let turntable = Turntable(vinyl: vinyl)
        await withCheckedContinuation { done in
            let first = turntable.dataTask(with: url) { data, _, _ in
                #expect(data == nil)
            }
            #expect(first.state == .suspended)
            let second = turntable.dataTask(with: url) { data, _, _ in
                #expect(data == Data("hello".utf8))
                done.resume()
            }
            second.resume()
        }
    }

    @Test func `completion handlers are called on the delegate queue`() async {
        let queue = OperationQueue()
        queue.name = "Ours"
        let turntable = Turntable(vinyl: vinyl, delegateQueue: queue)
        #expect(turntable.delegateQueue === queue)
        let name = await withCheckedContinuation { done in
            turntable.dataTask(with: url) { _, _, _ in done.resume(returning: OperationQueue.current?.name) }.resume()
        }
        #expect(name == "Ours")
        #expect(Turntable(vinyl: vinyl).delegateQueue.maxConcurrentOperationCount == 1)
    }

    @Test func `tasks for URLs and requests, uploads and awaited calls are all played`() async throws {
        let turntable = Turntable(
            turntableConfiguration: TurntableConfiguration(
                matchingStrategy: .requestAttributes(types: [.path], playTracksUniquely: false)))
        turntable.load(vinyl: vinyl)
        let session: URLSession = turntable
        let request = URLRequest.to("http://x/1", method: "POST")
        let bodies = Log<Data?>()
        await withCheckedContinuation { done in
            session.dataTask(with: url) { body, _, _ in
                bodies.append(body)
                session.dataTask(with: request) { body, _, _ in
                    bodies.append(body)
                    session.uploadTask(with: request, from: Data("up".utf8)) { body, _, _ in
                        bodies.append(body)
                        done.resume()
                    }.resume()
                }.resume()
            }.resume()
        }
        bodies.append(try await session.data(from: url).0)
        bodies.append(try await session.data(for: request).0)
        bodies.append(try await session.upload(for: request, from: Data("up".utf8)).0)
        #expect(bodies.events == Array(repeating: Data("hello".utf8), count: 6))
    }

    @Test func `the body of an upload is compared`() async {
        let request: [String: Any] = [
            "url": "http://a/", "method": "POST", "headers": ["Content-Type": "text/plain"], "body": "up",
        ]
        let response: [String: Any] = [
            "url": "http://a/", "status": 200, "headers": [:] as [String: String], "body": "ok",
        ]
        let strategy = MatchingStrategy.requestAttributes(types: [.method, .url, .body], playTracksUniquely: false)
        let turntable = Turntable(
            vinyl: Vinyl(plastic: [["request": request, "response": response]]),
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
        let requested = URLRequest.to("http://a/", method: "POST", headers: ["Content-Type": "text/plain"])
        let body: Data? = await withCheckedContinuation { done in
            turntable.uploadTask(with: requested, from: Data("up".utf8)) { body, _, _ in done.resume(returning: body) }
                .resume()
        }
        #expect(body == Data("ok".utf8))
    }

    @Test func `a replayed cookie is stored in the turntable's storage, unless the request disables cookies`()
        async throws
    {
        let host = "cookies-\(UUID().uuidString.lowercased()).test"
        let page = URL.of("http://\(host)/")
        let tracks = ["a=1", "b=2"].map {
            TrackFactory.createValidTrack(url: page, headers: ["Set-Cookie": "\($0); Path=/"])
        }
        let turntable = Turntable(vinyl: Vinyl(tracks: tracks))
        let storage = try #require(turntable.configuration.httpCookieStorage)
        var request = URLRequest(url: page)
        request.httpShouldHandleCookies = false
        _ = try await turntable.data(for: request)
        #expect(storage.cookies(for: page)?.isEmpty != false)
        _ = try await turntable.data(from: page)
        #expect(storage.cookies(for: page)?.map(\.name) == ["b"])
        #expect(HTTPCookieStorage.shared.cookies(for: page)?.isEmpty != false)
    }

    @Test func `stored cookies are not compared as header fields`() async throws {
        let host = "compared-\(UUID().uuidString.lowercased()).test"
        let page = URL.of("http://\(host)/")
        let strategy = MatchingStrategy.requestAttributes(types: [.headers], playTracksUniquely: false)
        let turntable = Turntable(
            vinyl: Vinyl(tracks: [TrackFactory.createValidTrack(url: page, headers: ["Set-Cookie": "a=1; Path=/"])]),
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
        for _ in 1...2 { _ = try await turntable.data(from: page) }
    }

    @Test func `the response has the URL and the header fields of the track`() async {
        let strategy = MatchingStrategy.requestAttributes(types: [.method], playTracksUniquely: true)
        let headers = ["X-A": "b", "ETag": "\"1\""]
        let turntable = Turntable(
            vinyl: Vinyl(tracks: [TrackFactory.createValidTrack(url: url, utf8Body: "hello", headers: headers)]),
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
        let played = await turntable.play(.to("http://b/2", headers: ["If-None-Match": "\"1\""]))
        #expect(played.response?.url == url && played.response?.statusCode == 200)
        // Foundation changes the case of some field names.
        let fields = (played.response?.allHeaderFields as? [String: String] ?? [:]).map { "\($0.lowercased()) \($1)" }
        #expect(fields.sorted() == ["etag \"1\"", "x-a b"])
    }

    @Test func `a turntable that only plays tracks has the default settings and no delegate`() throws {
        final class Delegate: NSObject, URLSessionDelegate {}
        let other = URLSessionConfiguration.ephemeral
        other.timeoutIntervalForRequest = 7
        let session = URLSession(configuration: other, delegate: Delegate(), delegateQueue: nil)
        let turntable = Turntable(vinyl: vinyl, urlSession: session)
        #expect(turntable.delegate == nil)
        let normal = URLSessionConfiguration.default
        #expect(turntable.configuration.timeoutIntervalForRequest == normal.timeoutIntervalForRequest)
        #expect(turntable.configuration.httpCookieStorage !== normal.httpCookieStorage)
        let folder = try RecordingFolder()
        turntable.load(vinyl: "vinyl_single", bundle: .module)
        #expect(turntable.delegate == nil)
        let mode = RecordingMode.missingVinyl(recordingPath: folder.path("new.har"))
        let recording = Turntable(
            vinylName: "new", turntableConfiguration: TurntableConfiguration(recordingMode: mode), urlSession: session)
        #expect(recording.delegate === session.delegate && recording.delegate != nil)
        #expect(recording.configuration.timeoutIntervalForRequest == 7)
        recording.stopRecording()
        #expect(recording.delegate == nil)
    }

    @Test func `the configuration of a recording turntable has all settings of the network session`() async throws {
        let folder = try RecordingFolder()
        let settings = URLSessionConfiguration.default
        settings.httpAdditionalHeaders = ["X-Own": "1"]
        settings.httpShouldSetCookies = true
        settings.httpCookieAcceptPolicy = .never
        settings.httpCookieStorage = URLSessionConfiguration.ephemeral.httpCookieStorage
        settings.urlCache = URLCache(memoryCapacity: 1 << 16, diskCapacity: 0, diskPath: nil)
        settings.requestCachePolicy = .returnCacheDataElseLoad
        settings.protocolClasses = folder.network.configuration.protocolClasses
        let session = URLSession(configuration: settings)
        let mode = RecordingMode.missingTracks(recordingPath: folder.path("new.har"))
        let strategy = MatchingStrategy.requestAttributes(types: [.url, .headers], playTracksUniquely: false)
        let turntable = Turntable(
            vinyl: vinyl,
            turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy, recordingMode: mode),
            urlSession: session)
        let seen = turntable.configuration
        #expect(seen.httpAdditionalHeaders as? [String: String] == ["X-Own": "1"])
        #expect(seen.httpShouldSetCookies && seen.httpCookieAcceptPolicy == .never)
        #expect(seen.httpCookieStorage === settings.httpCookieStorage)
        #expect(seen.urlCache === settings.urlCache && seen.requestCachePolicy == .returnCacheDataElseLoad)
        // The settings of the network session do not change which requests match.
        #expect(try await turntable.data(from: url).0 == Data("hello".utf8))
        #expect(await turntable.play(url.absoluteString).text == "hello")
        #expect(folder.requests.events.isEmpty)
        turntable.stopRecording()
        #expect(turntable.configuration.httpAdditionalHeaders == nil)
    }

    @Test func `the configuration of a turntable that only plays tracks has the default cookie and cache settings`() {
        let (seen, normal) = (Turntable(vinyl: vinyl).configuration, URLSessionConfiguration.default)
        #expect(seen.httpShouldSetCookies == normal.httpShouldSetCookies)
        #expect(seen.urlCache === normal.urlCache)
    }

    @Test func `a canceled call to a turntable with a cache completes only once`() async throws {
        let turntable = Turntable(
            vinyl: vinyl,
            turntableConfiguration: TurntableConfiguration(
                matchingStrategy: .requestAttributes(types: [.url], playTracksUniquely: false)))
        for _ in 1...100 {
            let task = Task { try await turntable.data(from: url).0 }
            task.cancel()
            if let data = try? await task.value { #expect(data == Data("hello".utf8)) }
        }
    }

    @Test func `an unreferenced turntable is deallocated`() async {
        weak var gone: Turntable?
        do {
            let turntable = Turntable(vinyl: vinyl)
            gone = turntable
            _ = await turntable.play(url.absoluteString)
        }
        // The task that just ended may still hold a reference.
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}
