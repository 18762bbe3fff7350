import Foundation
import Relay
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the order in which concurrent tasks select tracks and complete.
@Suite(.limited) struct OrderTests {
    private let url = URL.of("http://api.test.com/1")

    private func track(_ text: String) -> Track { TrackFactory.createValidTrack(url: url, utf8Body: text) }

    @Test func `completion handlers are called in the order in which tasks are resumed`() async {
        for round in 1...200 {
            let configuration = TurntableConfiguration(matchingStrategy: round % 2 == 0 ? .trackOrder : .standard)
            let turntable = Turntable(
                vinyl: Vinyl(tracks: (1...10).map { track("\($0)") }), turntableConfiguration: configuration)
            let played = Log<String>()
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                let tasks = (1...10).map { number in
                    turntable.dataTask(with: url) { body, _, _ in
                        played.append("\(number) " + (body.map { String(decoding: $0, as: UTF8.self) } ?? "failed"))
                        if played.events.count == 10 { done.resume() }
                    }
                }
                for task in tasks { task.resume() }
            }
            #expect(played.events == (1...10).map { "\($0) \($0)" })
            guard played.events.first == "1 1" else { return }
        }
    }

    @Test func `errors and uploads are delivered in order`() async {
        for _ in 1...50 {
            let tracks = [
                track("1"), TrackFactory.createErrorTrack(url: url, error: URLError(.timedOut)), track("3"),
                TrackFactory.createTrack(url: url, statusCode: 500, error: URLError(.badURL)), track("5"),
            ]
            let turntable = Turntable(vinyl: Vinyl(tracks: tracks))
            let completed = Log<Int>()
            await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                @Sendable func complete(_ number: Int) {
                    completed.append(number)
                    if completed.events.count == 5 { done.resume() }
                }
                for number in 1...4 { turntable.dataTask(with: url) { _, _, _ in complete(number) }.resume() }
                turntable.uploadTask(with: URLRequest(url: url), from: Data("up".utf8)) { _, _, _ in complete(5) }
                    .resume()
            }
            #expect(completed.events == [1, 2, 3, 4, 5])
        }
    }

    @Test func `canceled tasks and tasks that are never resumed do not delay others`() async {
        let turntable = Turntable(vinyl: Vinyl(tracks: (1...50).map { track("\($0)") }))
        for _ in 1...20 {
            _ = turntable.dataTask(with: url) { _, _, _ in }
            let canceled = turntable.dataTask(with: url) { _, _, _ in }
            canceled.resume()
            canceled.cancel()
            #expect(await turntable.play(url.absoluteString).body != nil)
        }
    }

    @Test func `a task that waits for the network does not delay tasks with recorded tracks`() async throws {
        let folder = try RecordingFolder()
        let (responses, isAllowed) = AsyncStream<Void>.makeStream()
        let interceptor = Interceptor()
        interceptor.add(
            .stub(.any) { _ in
                for await _ in responses { break }
                return .text("live")
            })
        let mode = RecordingMode.missingTracks(recordingPath: folder.path("more.har"))
        let turntable = Turntable(
            vinyl: Vinyl(tracks: [track("played")]),
            turntableConfiguration: TurntableConfiguration(recordingMode: mode),
            urlSession: interceptor.session())
        let texts = Log<String?>()
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            let live = turntable.dataTask(with: .of("http://api.test.com/live")) { body, _, _ in
                texts.append(body.map { String(decoding: $0, as: UTF8.self) })
                done.resume()
            }
            let played = turntable.dataTask(with: url) { body, _, _ in
                texts.append(body.map { String(decoding: $0, as: UTF8.self) })
                isAllowed.yield()
            }
            live.resume()
            played.resume()
        }
        #expect(texts.events == ["played", "live"])
    }
}

extension MatchingStrategy {
    /// The default strategy.
    fileprivate static var standard: MatchingStrategy {
        .requestAttributes(types: [.method, .url], playTracksUniquely: true)
    }
}
