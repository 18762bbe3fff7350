import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the selection among several tracks.
@Suite(.limited) struct TurnsTests {
    private func turntable(_ strategy: MatchingStrategy, _ paths: String...) -> Turntable {
        let tracks = paths.enumerated().map { index, path in
            TrackFactory.createValidTrack(url: .of("http://a" + path), utf8Body: "\(index)")
        }
        let turntable = Turntable(
            vinyl: Vinyl(tracks: tracks), turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy))
        turntable.errorHandler = NotingErrorHandler()
        return turntable
    }

    private func played(_ turntable: Turntable, _ paths: String...) async -> [String] {
        var texts: [String] = []
        for path in paths {
            let body = try? await turntable.data(from: .of("http://a" + path)).0
            texts.append(body.map { String(decoding: $0, as: UTF8.self) } ?? "missing")
        }
        return texts
    }

    @Test func `by default, each track is played once, starting with the first match`() async {
        let turntable = turntable(TurntableConfiguration().matchingStrategy, "/x", "/y", "/x")
        #expect(await played(turntable, "/x", "/y", "/x", "/x", "/y") == ["0", "1", "2", "missing", "missing"])
    }

    @Test func `without unique playback, a track is played repeatedly`() async {
        let strategy = MatchingStrategy.requestAttributes(types: [.method, .url], playTracksUniquely: false)
        let turntable = turntable(strategy, "/x", "/y", "/x")
        #expect(await played(turntable, "/x", "/y", "/x", "/y", "/z") == ["0", "1", "0", "1", "missing"])
    }

    @Test func `a track that matches by host alone is played only once`() async {
        let strategy = MatchingStrategy.requestAttributes(types: [.host], playTracksUniquely: true)
        #expect(await played(turntable(strategy, "/x", "/y"), "/1", "/2", "/3") == ["0", "1", "missing"])
    }

    @Test func `in track order, each track is played once, for any request`() async {
        #expect(await played(turntable(.trackOrder, "/x", "/y"), "/3", "/2", "/1") == ["0", "1", "missing"])
    }

    @Test func `a vinyl that is loaded again plays from the start`() async {
        let turntable = Turntable(turntableConfiguration: TurntableConfiguration(matchingStrategy: .trackOrder))
        for name in ["vinyl_single", "dvr_multiple", "vinyl_single"] {
            turntable.loadVinyl(name)
            let text = await turntable.play("http://b/").text
            #expect(text == (name == "vinyl_single" ? "hello" : "first"))
        }
        turntable.load(vinyl: Vinyl(tracks: [TrackFactory.createValidTrack(url: .of("http://a/"), utf8Body: "own")]))
        #expect(await turntable.play("http://b/").text == "own")
        turntable.load(cassette: "dvr_multiple")
        #expect(await turntable.play("http://b/").text == "first")
        turntable.load(vinyl: "vinyl_single", bundle: .module)
        #expect(await turntable.play("http://b/").text == "hello")
    }

    @Test func `each concurrent request receives a different track`() async {
        let tracks = (0..<100).map { TrackFactory.createValidTrack(url: .of("http://a/"), utf8Body: "\($0)") }
        let turntable = Turntable(vinyl: Vinyl(tracks: tracks))
        let texts = await withTaskGroup(of: String?.self) { group in
            for _ in tracks { group.addTask { await turntable.play("http://a/").text } }
            return await group.reduce(into: Set<String>()) { if let text = $1 { $0.insert(text) } }
        }
        #expect(texts.count == 100)
    }
}
