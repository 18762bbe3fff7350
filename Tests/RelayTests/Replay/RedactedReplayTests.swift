import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Replay of redacted entries for requests that contain secrets.
@Suite(.limited) struct RedactedReplayTests {
    private static let key = HARRedactor.Key(phrase: "a key of the tests")
    private static let otherKey = HARRedactor.Key(phrase: "another key of the tests")

    private static func configuration(
        _ matching: RequestMatching = .standard, key: HARRedactor.Key? = key,
        _ change: (inout HARRedactor.Configuration) -> Void = { _ in }
    ) -> Interceptor.Configuration {
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        configuration.recording.redaction = key.map { key in
            var redaction = HARRedactor.Configuration()
            redaction.key = key
            change(&redaction)
            return redaction
        }
        return configuration
    }

    /// Returns the entries that are recorded for requests and their response bodies, redacted if configured.
    private static func recorded(
        _ exchanges: KeyValuePairs<InterceptedRequest, String>, _ configuration: Interceptor.Configuration
    ) throws -> [HAR.Entry] {
        let redactor = try configuration.recording.redaction.map { try HARRedactor($0) }
        let maker = EntryBuilder(folder: URL(fileURLWithPath: "/no-folder"), redactor: redactor)
        return try exchanges.map { request, text in
            let exchange = CapturedExchange(
                request: request, start: Date(timeIntervalSince1970: 0),
                head: CapturedExchange.Head(
                    status: 200, headers: [HeaderField(name: "Content-Type", value: "text/plain")]),
                body: SpooledBody(Data(text.utf8)), wire: CapturedExchange.Wire(httpVersion: "HTTP/1.1"))
            return try maker.entry(for: exchange, page: nil)
        }
    }

    /// Creates an interceptor that replays recorded exchanges, by default with the configuration that recorded them.
    private static func playing(
        _ exchanges: KeyValuePairs<InterceptedRequest, String>,
        _ recording: Interceptor.Configuration = configuration(),
        by replaying: Interceptor.Configuration? = nil
    ) throws -> Interceptor {
        Interceptor(entries: try recorded(exchanges, recording), name: "a.har", configuration: replaying ?? recording)
    }

    private static func login(_ user: String, _ password: String) -> InterceptedRequest {
        .request(
            "POST", "https://a.test/login", body: #"{"user":"\#(user)","password":"\#(password)"}"#,
            type: "application/json")
    }

    private static func profile(_ token: String) -> InterceptedRequest {
        .request("GET", "https://a.test/me", headers: ["Authorization": "Bearer \(token)"])
    }

    private static let plans: [String: RequestMatching] = [
        "standard": .standard, "strict": .strict, "loose": .loose, "anyHost": .anyHost, "anyQuery": .anyQuery,
        "methodURLAndBody": .methodURLAndBody, "graphQL": .graphQL, "json": .json(ignoring: []),
    ]

    private static let requests: [String: InterceptedRequest] = [
        "query": .request("GET", "https://a.test/x?q=1&api_key=live%2Fs3cret+1&z=%20"),
        "user": .request("GET", "https://ann:hunter2hunter2@a.test/x"),
        "JSON": login("ann", #"hunter \\ "2""#),
        "form": .request(
            "POST", "https://a.test/", body: "user=ann&password=hunt%2Fer2+3", type: "application/x-www-form-urlencoded"
        ),
        "multipart": .request(
            "POST", "https://a.test/", body: multipart(["user": "ann", "password": "hunter2"], boundary: "b"),
            type: "multipart/form-data; boundary=b"),
        "GraphQL": .request(
            "POST", "https://a.test/graphql",
            body: #"{"query":"mutation L($p: String) { login(p: $p) }","variables":{"password":"hunter2"}}"#,
            type: "application/json"),
        "header": .request("GET", "https://a.test/", headers: ["X-Api-Key": "hunter2"]),
        "authorization": profile("hunter2hunter2"),
        "path": .request("GET", "https://a.test/hook/ghp_0123456789abcdefghijABCDEFGHIJ012345/x"),
        "base64": .request(
            "POST", "https://a.test/",
            body: #"{"x":"\#(Data(#"{"password":"hunter2"}"#.utf8).base64EncodedString())"}"#, type: "application/json"),
        "all": .request(
            "POST", "https://a.test/?access_token=hunter3",
            headers: ["Authorization": "Bearer hunter4", "X-Api-Key": "5"],
            body: #"{"password":"hunter2"}"#, type: "application/json"),
    ]

    @Test(arguments: plans.keys.sorted(), requests.keys.sorted())
    func `a request that contains secrets matches its redacted entry`(plan: String, place: String) throws {
        let request = try #require(Self.requests[place])
        let configuration = Self.configuration(try #require(Self.plans[plan]))
        let exchanges: KeyValuePairs = [request: "right", .request("GET", "https://a.test/other"): "other"]
        let recorded = try Self.recorded(exchanges, configuration)
        #expect("\(recorded[0])".contains("hunter") == false)
        for key in [Self.key, Self.otherKey] {
            var configuration = configuration
            configuration.recording.redaction?.key = key
            let interceptor = Interceptor(entries: recorded, name: "a.har", configuration: configuration)
            #expect(try interceptor.reply(to: request) == "right")
            #expect(try interceptor.reply(to: request) == "right")
            #expect(interceptor.report.missCount == 0)
            #expect(interceptor.report.archives[0].usedCount == 1)
        }
    }

    @Test(arguments: plans.keys.sorted())
    func `users are distinguished by their secrets if the key is the same as for recording`(plan: String) throws {
        let exchanges: KeyValuePairs = [
            Self.profile("ann-ann-ann"): "Ann", Self.profile("bob-bob-bob"): "Bob",
            .request("GET", "https://a.test/q?api_key=ann"): "q Ann",
            .request("GET", "https://a.test/q?api_key=bob"): "q Bob",
            Self.login("x", "ann's password"): "x Ann", Self.login("x", "bob's password"): "x Bob",
        ]
        let interceptor = try Self.playing(exchanges, Self.configuration(try #require(Self.plans[plan])))
        for exchange in exchanges.reversed() + exchanges {
            #expect(try interceptor.reply(to: exchange.key) == exchange.value)
        }
        #expect(interceptor.report.isComplete)
    }

    @Test(arguments: [key, otherKey])
    func `users are distinguished by values that are not secret, with any key`(key: HARRedactor.Key) throws {
        let exchanges: KeyValuePairs = [Self.login("ann", "1 secret"): "Ann", Self.login("bob", "2 secret"): "Bob"]
        for plan in [RequestMatching.standard, .strict, .methodURLAndBody, .graphQL] {
            let interceptor = try Self.playing(
                exchanges, Self.configuration(plan), by: Self.configuration(plan, key: key))
            for exchange in exchanges.reversed() + exchanges {
                #expect(try interceptor.reply(to: exchange.key) == exchange.value)
            }
        }
    }

    @Test func `with another key, entries that differ only in secrets are used in order`() throws {
        let exchanges: KeyValuePairs = [Self.profile("ann-ann-ann"): "1", Self.profile("bob-bob-bob"): "2"]
        let interceptor = try Self.playing(exchanges, by: Self.configuration(key: Self.otherKey))
        #expect(try ["x", "y", "z"].map { try interceptor.reply(to: Self.profile($0)) } == ["1", "2", "2"])
    }

    @Test func `a client that received a placeholder can send it back`() throws {
        let configuration = Self.configuration()
        let exchanges: KeyValuePairs = [
            Self.profile("ann-ann-ann"): "Ann", Self.profile("bob-bob-bob"): "Bob",
            .request("GET", "https://a.test/s?token=bob-bob-bob"): "s Bob",
        ]
        let recorded = try Self.recorded(exchanges, configuration)
        let given = HARRedactor.placeholders(in: recorded[1].request.header("authorization") ?? "")
        let token = try #require(given.first)
        for key in [Self.key, Self.otherKey, nil] {
            let interceptor = Interceptor(
                entries: recorded, name: "a.har", configuration: Self.configuration(key: key))
            #expect(try interceptor.reply(to: Self.profile(token)) == "Bob")
            #expect(try interceptor.reply(to: .request("GET", "https://a.test/s?token=\(token)")) == "s Bob")
        }
    }

    @Test(arguments: plans.keys.sorted())
    func `secrets are compared if they were recorded without redaction`(plan: String) throws {
        let plan = try #require(Self.plans[plan])
        let requested = InterceptedRequest.request("GET", "https://a.test/x?api_key=def")
        let exchanges: KeyValuePairs = [InterceptedRequest.request("GET", "https://a.test/x?api_key=abc"): "abc"]
        let interceptor = try Self.playing(exchanges, Self.configuration(plan, key: nil), by: Self.configuration(plan))
        let unredacted = try Self.playing(exchanges, Self.configuration(plan, key: nil))
        #expect(try interceptor.reply(to: requested) == unredacted.reply(to: requested))
        #expect(try interceptor.reply(to: exchanges[0].key) == "abc")
    }

    @Test func `an exact match takes precedence over a redacted one`() throws {
        let request = InterceptedRequest.request("GET", "https://a.test/x?api_key=abc")
        let entries =
            try Self.recorded([request: "redacted"], Self.configuration())
            + Self.recorded([request: "unredacted"], Self.configuration(key: nil))
        let interceptor = Interceptor(entries: entries, name: "a.har", configuration: Self.configuration())
        #expect(try interceptor.reply(to: request) == "unredacted")
        #expect(try interceptor.reply(to: .request("GET", "https://a.test/x?api_key=def")) == "redacted")
    }

    @Test func `the first matching archive is used, whether or not it is redacted`() throws {
        let request = InterceptedRequest.request("GET", "https://a.test/x?api_key=abc")
        let first = try Self.recorded([request: "first"], Self.configuration())
        let second = try Self.recorded([request: "second"], Self.configuration(key: nil))
        let layers = ArchiveLayers(
            [ReplaySource(first, name: "1"), ReplaySource(second, name: "2")], configuration: Self.configuration())
        for _ in 0..<3 {
            #expect(layers.play(request)?.archive == "1")
        }
    }

    @Test func `a response that does not depend on secrets is cached`() throws {
        let requests = [Self.login("ann", "secret"), .request("GET", "https://a.test/x?page=1")]
        let interceptor = try Self.playing([requests[0]: "login", requests[1]: "page"])
        for request in requests {
            #expect(interceptor.immediateResponse(to: request) == nil)
            #expect(interceptor.immediateResponse(to: request) != nil)
        }
    }

    @Test(arguments: [RequestMatching.Repetition.nextThenLast, .once, .cycle, .first])
    func `requests with secrets or placeholders share one sequence of entries`(repetition: RequestMatching.Repetition)
        throws
    {
        var plan = RequestMatching.methodURLAndBody
        plan.repetition = repetition
        let request = InterceptedRequest.request(
            "POST", "https://a.test/x?api_key=abc", body: #"{"password":"s"}"#, type: "application/json")
        let exchanges: KeyValuePairs = [request: "1", request: "2", request: "3"]
        let configuration = Self.configuration(plan)
        let interceptor = try Self.playing(exchanges, configuration)
        let entry = try Self.recorded(exchanges, configuration)[0]
        let withPlaceholders = InterceptedRequest(recorded: entry.request, folder: nil, withBody: true)
        let answers = try [request, withPlaceholders, request, withPlaceholders, request].map {
            try interceptor.reply(to: $0) ?? "none"
        }
        let expected =
            switch repetition {
            case .nextThenLast: ["1", "2", "3", "3", "3"]
            case .once: ["1", "2", "3", "none", "none"]
            case .cycle: ["1", "2", "3", "1", "2"]
            case .first: ["1", "1", "1", "1", "1"]
            }
        #expect(answers == expected)
        #expect(interceptor.report.archives[0].usedCount == Set(answers.filter { $0 != "none" }).count)
    }

    @Test func `custom redaction rules apply`() throws {
        let request = InterceptedRequest.request(
            "POST", "https://a.test/x?shop=s1&n=1", headers: ["X-Shop": "s2"],
            body: #"{"shop":"s3","ref":"ref-4711"}"#, type: "application/json")
        let configuration = Self.configuration(.strict) {
            $0.queryItems = ["shop"]
            $0.headers = ["x-shop"]
            $0.jsonKeys = ["shop"]
            $0.patterns = ["ref-[0-9]+"]
        }
        let recorded = try Self.recorded([request: "right"], configuration)
        let interceptor = Interceptor(entries: recorded, name: "a.har", configuration: configuration)
        #expect(try interceptor.reply(to: request) == "right")
        let standard = Interceptor(
            entries: recorded, name: "a.har", configuration: Self.configuration(.strict))
        #expect(try standard.reply(to: request) == nil)
    }

    @Test func `custom matchers receive redacted values as bare placeholders`() throws {
        let custom = RequestMatcher.custom("password") { requested, recorded in
            requested.body == recorded.body ? .match : .mismatch("password")
        }
        let plan = RequestMatching(required: [.method, .path, custom])
        let interceptor = try Self.playing(
            [Self.login("ann", "1 secret"): "Ann", Self.login("bob", "2 secret"): "Bob"], Self.configuration(plan))
        #expect(try interceptor.reply(to: Self.login("bob", "2 secret")) == "Bob")
        #expect(try interceptor.reply(to: Self.login("eve", "2 secret")) == nil)
    }
}
