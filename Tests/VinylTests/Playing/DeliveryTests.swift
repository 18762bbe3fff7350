import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Tests of the status and the body that a client receives for a track.
@Suite(.limited) struct DeliveryTests {
    private let url = URL.of("http://api.test.com/1")

    private func plastic(_ response: EncodedObject) -> Plastic {
        [["response": response.merging(["url": url.absoluteString]) { $1 }]]
    }

    private static let statuses = [-1, 0, 42, 99, 100, 101, 199, 204, 304, 600, 999, 1000]

    @Test(arguments: statuses)
    func `any status is delivered with its body`(status: Int) async throws {
        let body = Data("body".utf8)
        let vinyls = [
            Vinyl(tracks: [TrackFactory.createTrack(url: url, statusCode: status, body: body)]),
            Vinyl(plastic: plastic(["status": status, "headers": [:] as HTTPHeaders, "body": "body"])),
        ]
        for vinyl in vinyls {
            let played = await Turntable(vinyl: vinyl).play(url.absoluteString)
            #expect(played.response?.statusCode == status && played.body == body && played.error == nil)
            let (data, response) = try await Turntable(vinyl: vinyl).data(from: url)
            #expect((response as? HTTPURLResponse)?.statusCode == status && data == body)
        }
    }

    @Test(arguments: statuses)
    func `any status is played from a file that a turntable has written`(status: Int) async throws {
        let folder = try RecordingFolder()
        let mode = RecordingMode.missingTracks(recordingPath: folder.path("saved.har"))
        for vinyl in [Vinyl(tracks: [TrackFactory.createBadTrack(url: url, statusCode: status)]), nil] {
            let turntable = Turntable(
                vinyl: vinyl, turntableConfiguration: TurntableConfiguration(recordingMode: mode),
                urlSession: folder.network)
            if vinyl == nil { turntable.load(vinyl: "saved", bundle: Bundle(url: folder.url)) }
            let played = await turntable.play(url.absoluteString)
            #expect(played.response?.statusCode == status && played.body == nil && played.error == nil)
            turntable.stopRecording()
        }
        #expect(folder.requests.events.isEmpty)
    }

    @Test func `a HEAD request receives the body of its track`() async {
        let request: EncodedObject = ["url": url.absoluteString, "method": "HEAD"]
        let response: EncodedObject = [
            "url": url.absoluteString, "status": 200, "headers": [:] as HTTPHeaders, "body": "hello",
        ]
        let turntable = Turntable(vinyl: Vinyl(plastic: [["request": request, "response": response]]))
        #expect(await turntable.play(.to(url.absoluteString, method: "HEAD")).text == "hello")
    }

    @Test func `a track without a body returns no data, and an empty body returns empty data`() async throws {
        let headers: HTTPHeaders = [:]
        let vinyls = [
            (Vinyl(tracks: [TrackFactory.createValidTrack(url: url)]), true),
            (Vinyl(tracks: [TrackFactory.createBadTrack(url: url, statusCode: 404)]), true),
            (Vinyl(tracks: [TrackFactory.createValidTrack(url: url, body: Data())]), false),
            (Vinyl(tracks: [TrackFactory.createValidTrack(url: url, utf8Body: "")]), false),
            (Vinyl(plastic: plastic(["status": 200, "headers": headers])), true),
            (Vinyl(plastic: plastic(["status": 200, "headers": headers, "body": NSNull()])), true),
            (Vinyl(plastic: plastic(["status": 200, "headers": headers, "body": ""])), false),
        ]
        for (vinyl, isMissing) in vinyls {
            let played = await Turntable(vinyl: vinyl).play(url.absoluteString)
            #expect(played.body == (isMissing ? nil : Data()))
            #expect(played.response != nil && played.error == nil)
            let body: Data? = await withCheckedContinuation { done in
                Turntable(vinyl: vinyl).uploadTask(with: URLRequest(url: url), from: Data("up".utf8)) { body, _, _ in
                    done.resume(returning: body)
                }.resume()
            }
            #expect(body == (isMissing ? nil : Data()))
            #expect(try await Turntable(vinyl: vinyl).data(from: url).0.isEmpty)
        }
    }

    @Test func `Base64 bodies can contain line breaks`() async {
        let bytes = Data((0..<200).map { UInt8($0) })
        let text = bytes.base64EncodedString(options: [.lineLength64Characters, .endLineWithCarriageReturn])
        let response: EncodedObject = ["status": 200, "headers": ["Content-Type": "image/png"], "body": text]
        for vinyl in [
            Vinyl(tracks: [TrackFactory.createValidTrack(url: url, base64Body: text + "\n")]),
            Vinyl(plastic: plastic(response)),
        ] {
            #expect(await Turntable(vinyl: vinyl).play(url.absoluteString).body == bytes)
        }
        let strange = TrackFactory.createValidTrack(url: url, base64Body: "A-P8*=")
        #expect(await Turntable(vinyl: Vinyl(tracks: [strange])).play(url.absoluteString).body == Data([0, 255]))
    }
}
