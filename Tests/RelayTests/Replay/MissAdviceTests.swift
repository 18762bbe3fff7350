import HTTPArchive
import Testing

@testable import RelayCore

/// The differing values and the advice in messages about misses.
@Suite(.limited) struct MissAdviceTests {
    private func message(
        _ request: InterceptedRequest, _ entries: [HAR.Entry], matching: RequestMatching = .standard
    ) -> String {
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        configuration.missAdvice = MissAdvice(
            command: RecordingCommand.text(module: "ShopTests", names: ["ItemTests", "`the shop's apples (2)`()"]),
            acceptance: "reportsMisses: false")
        return ArchiveLayers([ReplaySource(entries, name: "shop.har")], configuration: configuration)
            .miss(for: request).description
    }

    @Test func `a miss lists both values, the command that records the request, and the settings that avoid it`() {
        let entry = HAR.Entry.entry(
            "POST", "http://a/orders?time=1", request: [("Accept", "text/html"), ("X-Api-Key", "hidden1")]
        ).requested(#"{"items":[{"id":7,"count":1}],"pin":"1111"}"#, type: "application/json")
        let request = InterceptedRequest.request(
            "POST", "http://a/orders?time=2", headers: ["Accept": "application/json", "X-Api-Key": "hidden2"],
            body: #"{"items":[{"id":7,"count":2}],"pin":"2222"}"#, type: "application/json")
        let matching = RequestMatching(required: [.method, .url, .headers(ignoring: []), .body])
        #expect(
            message(request, [entry], matching: matching) == #"""
                shop.har: No entry matches POST http://a/orders?time=2. [noMatchingEntry]
                The only entry in the archive (- recorded, + requested, ~ differs):
                  entry 0  POST http://a/orders?time=1
                    query    - time=1
                             + time=2
                    header   - accept: text/html
                             + accept: application/json
                             ~ x-api-key
                    body     - /items/0/count: 1
                             + /items/0/count: 2
                             ~ /pin
                To record the request, run: RELAY_MODE=new swift test --filter 'ShopTests.ItemTests/`the shop'\''s apples \(2\)`'
                To ignore the difference, add `.ignoring(queryItems: ["time"], headers: ["accept", "x-api-key"], json: ["/items/0/count", "/pin"])` to the matching.
                To accept misses, pass `reportsMisses: false`.
                """#)
    }

    private static func part(_ value: String) -> String {
        "--z\r\nContent-Disposition: form-data; name=nonce\r\n\r\n\(value)\r\n--z--\r\n"
    }

    @Test(arguments: [
        ("application/x-www-form-urlencoded", "nonce=1&b=1", "nonce=2&b=1"),
        ("multipart/form-data; boundary=z", part("1"), part("2")),
    ])
    func `the advice names the fields of forms`(type: String, recorded: String, requested: String) {
        var entry = HAR.Entry.entry("POST", "http://a/x")
        entry.request.postData = HAR.PostData(mimeType: type, text: recorded)
        let text = message(
            .request("POST", "http://a/x", body: requested, type: type), [entry], matching: .methodURLAndBody)
        #expect(text.contains(#"add `.ignoring(formFields: ["nonce"])` to the matching."#), "\(text)")
    }

    @Test func `with standard matching, the advice contains the complete setting`() {
        let text = message(.request("GET", "http://a/x?time=2&page=1"), [.entry("GET", "http://a/x?time=1&page=1")])
        #expect(
            text.contains(
                #"To ignore the difference, pass `matching: .standard.ignoring(queryItems: ["time"])`."#))
        let other = message(.request("GET", "http://b/x"), [.entry("GET", "http://a/x")])
        #expect(other.contains("To ignore the difference, pass `matching: .anyHost`."))
    }

    @Test func `the advice of the server names its options`() {
        let advice = MissAdvice(namesOptions: true)
        func lines(_ request: String, _ entry: String) -> [String] {
            var configuration = Interceptor.Configuration()
            configuration.missAdvice = advice
            let source = ReplaySource([.entry("GET", entry)], name: "a.har")
            let text = ArchiveLayers([source], configuration: configuration).miss(for: .request("GET", request))
                .description
            return text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("To ignore") }
        }
        #expect(
            lines("http://a/x?time=2&page=1", "http://a/x?time=1&page=1")
                == ["To ignore the difference, restart the server with --ignore-query 'time'."])
        #expect(
            lines("http://b/x", "http://a/x")
                == ["To ignore the difference, restart the server with --matching anyHost."])
        #expect(lines("http://b/x?a=1", "http://a/x") == [])
    }

    @Test func `a miss contains no advice for a difference that no setting can ignore`() {
        #expect(!message(.request("GET", "http://a/items"), [.entry("GET", "http://a/item")]).contains("To ignore"))
        #expect(!message(.request("GET", "http://a/zzzz"), [.entry("GET", "http://a/item")]).contains("To ignore"))
        let many = (0..<9).map { "x\($0)" }.joined(separator: "&")
        #expect(!message(.request("GET", "http://a/"), [.entry("GET", "http://a/?\(many)")]).contains("To ignore"))
    }

    @Test func `secrets that the configuration defines are masked in all values`() {
        var configuration = Interceptor.Configuration()
        configuration.matching = .methodURLAndBody
        configuration.recording.redaction?.jsonKeys = ["plate"]
        configuration.recording.redaction?.queryItems = ["plate"]
        let entry = HAR.Entry.entry("POST", "http://a/?plate=hidden1")
            .requested(#"{"plate":"hidden2","a":{"plate":["hidden3"]}}"#, type: "application/json")
        let request = InterceptedRequest.request(
            "POST", "http://a/?plate=hidden4", body: #"{"plate":"hidden5","a":{"plate":["hidden6",1]}}"#,
            type: "application/json")
        let text = ArchiveLayers([ReplaySource([entry], name: "a.har")], configuration: configuration)
            .miss(for: request).description
        #expect(!text.contains("hidden"), "\(text)")
        #expect(text.contains("plate"))
    }
}

@Suite(.limited) struct ReplayUseTests {
    private func interceptor(_ entries: [HAR.Entry], matching: RequestMatching = .standard) -> Interceptor {
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        return Interceptor(entries: entries, name: "shop.har", configuration: configuration)
    }

    private func post(_ body: String?) -> InterceptedRequest {
        .request("POST", "http://a/orders", body: body, type: "application/json")
    }

    private let order = HAR.Entry.entry("POST", "http://a/orders")
        .requested(#"{"count":1}"#, type: "application/json")

    @Test func `a changed body is listed in the report`() throws {
        let replay = interceptor([order])
        _ = replay.archives.play(post(#"{ "count": 1 }"#))
        #expect(replay.report.changedBodies.isEmpty)
        _ = replay.archives.play(post(#"{"count":2}"#))
        #expect(
            replay.report.changedBodies.map(\.description) == [
                """
                shop.har: The body of POST http://a/orders differs from entry 0 (- recorded, + requested, ~ differs):
                    body     - /count: 1
                             + /count: 2
                """
            ])
        #expect(replay.report.description.contains("  changed body  POST http://a/orders (entry 0)"))
        _ = replay.archives.play(post(nil))
        #expect(replay.report.changedBodies.count == 2)
    }

    @Test func `a body is compared only if the matching settings prefer it`() {
        for matching in [RequestMatching(required: [.method, .url]), .methodURLAndBody, .recordedOrder] {
            let replay = interceptor([order], matching: matching)
            _ = replay.archives.play(post(#"{"count":2}"#))
            #expect(replay.report.changedBodies.isEmpty)
        }
        let get = interceptor([.entry("GET", "http://a/")])
        _ = get.archives.play(.request("GET", "http://a/"))
        #expect(get.report.changedBodies.isEmpty)
    }

    @Test func `a body that differs only in secrets does not count as changed`() throws {
        let recorded = try HARRedactor(.standard).redacted(
            HAR.Entry.entry("POST", "http://a/orders").requested(#"{"pin":"1111"}"#, type: "application/json"))
        let replay = interceptor([recorded])
        _ = replay.archives.play(post(#"{"pin":"2222"}"#))
        #expect(replay.report.changedBodies.isEmpty)
    }

    @Test func `rules that affect no request are listed as unused`() async throws {
        let replay = interceptor([])
        replay.add(
            .stub("a/x", .status(200)), .stub("a/**", .status(404)), .override("b/**", .header("A", "1")),
            .override("a/**", .header("A", "1")))
        _ = try replay.rules.effects(on: .request("GET", "http://a/x"))
        #expect(replay.unusedRules.map(replay.text) == ["a/x", "b/**"])
    }
}
