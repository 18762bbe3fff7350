import Foundation
import Testing

@testable import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The unchanged examples from Vinyl's README.
@Suite(.limited) struct ReadmeTests {
    @Test func `the most basic configuration plays a track`() async {
        await withCheckedContinuation { done in
            let turntable = Turntable(vinylName: "vinyl_single")
            let request = URLRequest(url: URL(string: "http://api.test.com")!)

            turntable.dataTask(with: request) { (data, response, anError) in
                #expect(data == Data("hello".utf8))
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                #expect(anError == nil)
                done.resume()
            }.resume()
        }
    }

    @Test func `requests are matched by body and query`() async {
        let matching = MatchingStrategy.requestAttributes(types: [.body, .query], playTracksUniquely: true)
        let configuration = TurntableConfiguration(matchingStrategy: matching)
        let turntable = Turntable(vinylName: "vinyl_simple", turntableConfiguration: configuration)

        let request = URLRequest.to(
            "http://elsewhere/?size=10&page=1", method: "PUT", headers: ["Content-Type": "application/json"],
            body: #"{"count": 1, "name": "apple"}"#)
        #expect(await turntable.play(request).response?.statusCode == 201)
    }

    @Test func `tracks are played in order`() async {
        let matching = MatchingStrategy.trackOrder
        let configuration = TurntableConfiguration(matchingStrategy: matching)
        let turntable = Turntable(vinylName: "vinyl_simple", turntableConfiguration: configuration)

        var statuses: [Int?] = []
        for _ in 1...3 { statuses.append(await turntable.play("http://whatever/").response?.statusCode) }
        #expect(statuses == [201, 200, 404])
    }

    @Test func `a track can be created manually`() async {
        let (data, headers) = (Data("clint eastwood".utf8), ["X-Album": "1"])
        let configuration = TurntableConfiguration()

        let track = TrackFactory.createValidTrack(
            url: URL(string: "http://feelGoodINC.com")!, body: data, headers: headers)

        let vinyl = Vinyl(tracks: [track])
        let turntable = Turntable(vinyl: vinyl, turntableConfiguration: configuration)

        let played = await turntable.play("http://feelGoodINC.com")
        #expect(played.body == data)
        #expect(played.response?.value(forHTTPHeaderField: "X-Album") == "1")
    }

    @Test func `a cassette from DVR is played`() async {
        let turntable = Turntable(cassetteName: "dvr_single")
        #expect(await turntable.play("http://api.test.com").text == "hello")
    }

    @Test func `a missing vinyl is recorded`() async throws {
        let file = try #require(
            try VinylPlace(of: "new_vinyl", in: nil, for: .missingTracks(recordingPath: nil)).target)
        try? FileManager.default.removeItem(at: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let aSession = try RecordingFolder().network
        let request = URLRequest(url: URL(string: "http://api.test.com")!)
        for isThere in [false, true] {
            #expect(FileManager.default.fileExists(atPath: file.path) == isThere)
            let recordingMode = RecordingMode.missingVinyl(recordingPath: nil)
            let configuration = TurntableConfiguration(recordingMode: recordingMode)
            let turntable = Turntable(
                vinylName: "new_vinyl", turntableConfiguration: configuration, urlSession: isThere ? nil : aSession)
            #expect(await turntable.play(request).text == "live GET http://api.test.com ")
            turntable.stopRecording()
        }
    }
}
