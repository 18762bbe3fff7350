import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The file formats that turntables read.
@Suite(.limited) struct VinylFileTests {
    private func turntable(_ name: String, _ types: RequestMatcherType...) -> Turntable {
        let strategy = MatchingStrategy.requestAttributes(
            types: types.isEmpty ? [.method, .url] : types, playTracksUniquely: true)
        return Turntable(
            vinylName: name, bundle: .module, turntableConfiguration: TurntableConfiguration(matchingStrategy: strategy)
        )
    }

    @Test func `a vinyl with trailing commas and JSON bodies is read`() async throws {
        let turntable = turntable("vinyl_simple", .method, .url, .headers, .body)
        let request = URLRequest.to(
            "http://api.test.com/items?page=1&size=10", method: "POST", headers: ["Content-Type": "application/json"],
            body: #"{"count":1,"name":"apple"}"#)
        let played = await turntable.play(request)
        #expect(played.response?.statusCode == 201)
        #expect(
            played.response?.allHeaderFields as? [String: String] == [
                "Content-Type": "application/json", "X-Track": "1",
            ])
        #expect(try JSONDecoder().decode([String: Int].self, from: #require(played.body)) == ["id": 7])
    }

    @Test func `a track without a request has the URL of its response`() async {
        #expect(await turntable("vinyl_simple").play("http://api.test.com/text").text == "plain [text], not {json},")
    }

    @Test func `other bodies are decoded from Base64, and the response keeps its own URL`() async {
        let played = await turntable("vinyl_simple").play("http://api.test.com/image")
        #expect(played.body == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(played.response?.url == .of("http://cdn.test.com/image#top"))
        #expect(played.response?.statusCode == 404)
        #expect(played.response?.value(forHTTPHeaderField: "Content-Length") == "999")
    }

    @Test func `a byte order mark is ignored`() async throws {
        let folder = try RecordingFolder()
        let single = try #require(Bundle.module.url(forResource: "vinyl_single", withExtension: "json"))
        let file = folder.url.appendingPathComponent("marked.json")
        try (Data([0xEF, 0xBB, 0xBF]) + Data(contentsOf: single)).write(to: file)
        let bundle = try #require(Bundle(url: folder.url))
        #expect(await Turntable(vinylName: "marked", bundle: bundle).play("http://api.test.com").text == "hello")
    }

    @Test func `a vinyl can be created from the decoded content of its file`() async throws {
        let file = try #require(Bundle.module.url(forResource: "vinyl_single", withExtension: "json"))
        let plastic = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]])
        #expect(await Turntable(vinyl: Vinyl(plastic: plastic)).play("http://api.test.com").text == "hello")
    }

    @Test func `a DVR cassette plays each track once, starting with the first`() async {
        let turntable = Turntable(cassetteName: "dvr_multiple", bundle: .module)
        #expect(await turntable.play("http://api.test.com").text == "first")
        #expect(await turntable.play("http://api.test.com").text == "second")
    }

    @Test func `the response of a cassette keeps its own URL and header fields`() async {
        let played = await Turntable(cassetteName: "dvr_single", bundle: .module).play("http://api.test.com")
        #expect(played.text == "hello")
        #expect(played.response?.url == .of("http://api.test.com/"))
        #expect(played.response?.value(forHTTPHeaderField: "Content-Encoding") == "gzip")
    }

    @Test(arguments: ["archive", "named_json"])
    func `an archive is detected by its content, and its redirects are followed`(name: String) async {
        let turntable = turntable(name)
        let played = await turntable.play("http://api.test.com/start")
        #expect(played.text == "hello")
        #expect(played.response?.url == .of("http://api.test.com/end"))
        #expect(await Turntable(cassetteName: name, bundle: .module).play("http://api.test.com/end").text == "hello")
        let loose = self.turntable(name, .path)
        #expect(await loose.play("http://other.test/end").response?.url == .of("http://api.test.com/end"))
    }

    @Test(arguments: ["vinyl_single", "dvr_single"])
    func `without a bundle, the test resources are searched`(name: String) async {
        #expect(await Turntable(vinylName: name).play("http://api.test.com").text == "hello")
        #expect(await Turntable(cassetteName: name).play("http://api.test.com").text == "hello")
    }
}
