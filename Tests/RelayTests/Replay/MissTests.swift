import Foundation
import HTTPArchive
import Relay
import Synchronization
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct MissTests {
    private func message(
        _ request: InterceptedRequest, _ archives: [[HAR.Entry]], matching: RequestMatching = .standard,
        after earlier: [InterceptedRequest] = []
    ) -> String {
        var configuration = Interceptor.Configuration()
        configuration.matching = matching
        let names = archives.count == 1 ? ["shop.har"] : archives.indices.map { "\($0).har" }
        let layers = ArchiveLayers(
            zip(archives, names).map { ReplaySource($0, name: $1) }, configuration: configuration)
        for request in earlier { _ = layers.play(request) }
        let error = layers.miss(for: request)
        #expect(error.code == .noMatchingEntry)
        for line in error.message.split(separator: "\n") where !line.hasPrefix("To ") {
            #expect(line.count <= 80, "\(line)")
        }
        return error.description
    }

    @Test func `a miss lists the request, the archive and the nearest entries with their differences`() {
        let entries: [HAR.Entry] = [
            .entry("GET", "http://a/users/7?page=1"), .entry("GET", "http://a/other"),
            .entry("GET", "http://b/users/7"),
            .entry("POST", "http://a/users/7?page=2"), .entry("GET", "http://a/users/8"), .entry("GET", "http://c/"),
        ]
        #expect(
            message(.request("GET", "http://a/users/7?page=2"), [entries]) == """
                shop.har: No entry matches GET http://a/users/7?page=2. [noMatchingEntry]
                Nearest of 6 entries in the archive (- recorded, + requested, ~ differs):
                  entry 0  GET http://a/users/7?page=1
                    query    - page=1
                             + page=2
                  entry 3  POST http://a/users/7?page=2
                    method   - POST
                             + GET
                  entry 4  GET http://a/users/8
                    path     - /users/8
                             + /users/7
                    query    + page=2
                To ignore the difference, pass `matching: .standard.ignoring(queryItems: ["page"])`.
                """)
    }

    @Test func `a brief message does not list the nearest entries`() {
        let layers = ArchiveLayers(
            [ReplaySource([.entry("GET", "http://a/1")], name: "shop.har")], configuration: .init())
        let error = layers.miss(after: layers.search(for: .request("GET", "http://a/2")), isBrief: true)
        #expect(
            error.description == """
                shop.har: No entry matches GET http://a/2. [noMatchingEntry]
                The nearest entries are not listed, because too many such requests wait.
                """)
        #expect(layers.report.missCount == 1)
    }

    @Test(arguments: [false, true]) func `a miss that takes long does not delay other requests`(isByRule: Bool) async {
        let busy = DispatchSemaphore(value: 0)
        let configuration = Interceptor.Configuration()
        let source = ReplaySource(
            name: "a", count: 2, request: { ("GET", "http://a/\($0)") },
            entry: { index in
                if index == 0 { busy.wait() }
                return .entry("GET", "http://a/\(index)")
            })
        let interceptor = Interceptor(
            name: "a", archives: ArchiveLayers([source], configuration: configuration), configuration: configuration)
        if isByRule { interceptor.add(.fail(.where { $0.url == "http://a/00" })) }
        let (misses, continuation) = AsyncStream.makeStream(of: String.self)
        interceptor.decide(on: .request("GET", "http://a/00")) { decision in
            if case .failure(let error)? = decision.immediateReply?.result { continuation.yield("\(error)") }
        }
        for _ in 1...2 {
            let isFound = await withCheckedContinuation { found in
                interceptor.decide(on: .request("GET", "http://a/1")) { decision in
                    found.resume(returning: (try? decision.immediateReply?.result.get()) != nil)
                }
            }
            #expect(isFound)
        }
        busy.signal()
        #expect(await misses.first { _ in true }?.contains("entry 0") == true)
    }

    @Test func `a miss is brief and immediate while many others have waited for long`() async {
        let source = ReplaySource(
            name: "a", count: 1, request: { _ in ("GET", "http://a/0") },
            entry: { _ in .entry("GET", "http://a/0") })
        let interceptor = Interceptor(
            name: "a", archives: ArchiveLayers([source], configuration: .init()), configuration: .init())
        let (misses, continuation) = AsyncStream.makeStream(of: String.self)
        let miss = {
            interceptor.decide(on: .request("GET", "http://a/00"), for: .server) { decision in
                if case .failure(let error)? = decision.immediateReply?.result { continuation.yield("\(error)") }
            }
        }
        interceptor.missesAreLate.store(true, ordering: .relaxed)
        interceptor.missQueue.suspend()
        for _ in 1...5 { miss() }
        var messages = misses.makeAsyncIterator()
        #expect(await messages.next()?.contains("too many such requests wait") == true)
        interceptor.missQueue.resume()
        for _ in 1...4 { #expect(await messages.next()?.contains("entry 0") == true) }
    }

    @Test func `a used-up entry is described as such and listed first`() {
        var matching = RequestMatching.standard
        matching.repetition = .once
        let entries: [HAR.Entry] = [.entry("GET", "http://a/x?y"), .entry("GET", "http://a/x")]
        #expect(
            message(
                .request("GET", "http://a/x"), [entries], matching: matching, after: [.request("GET", "http://a/x")])
                    == """
                    shop.har: No entry matches GET http://a/x. [noMatchingEntry]
                    Nearest of 2 entries in the archive (- recorded, + requested, ~ differs):
                      entry 1  GET http://a/x
                        matches, but is used up (repetition: once)
                      entry 0  GET http://a/x?y
                        query    - y
                    """)
    }

    @Test func `a used-up entry is listed even among thousands of similar entries`() {
        let matching = RequestMatching(required: [.url, .body], repetition: .once)
        let entries = (0..<1_000).map { HAR.Entry.entry("POST", "http://a/").requested("\($0)") }
        let request = InterceptedRequest.request("POST", body: "777")
        let text = message(request, [entries], matching: matching, after: [request])
        #expect(text.contains("entry 777  POST http://a/\n    matches, but is used up"))
    }

    @Test func `differing header fields and bodies are listed with their values`() {
        let entry = HAR.Entry.entry("POST", request: [("X-A", "1"), ("X-B", "2")])
            .requested(#"{"user":{"name":"Anna"},"old":1}"#, type: "application/json")
        let request = InterceptedRequest.request(
            "POST", headers: ["X-A": "4"], body: #"{"user":{"name":"Berta"},"new":[1]}"#,
            type: "application/json")
        let text = message(request, [[entry]], matching: .strict)
        #expect(
            text == """
                shop.har: No entry matches POST http://a/. [noMatchingEntry]
                The only entry in the archive (- recorded, + requested, ~ differs):
                  entry 0  POST http://a/
                    header   - x-a: 1
                             + x-a: 4
                             - x-b: 2
                    body     + /new: [1]
                             - /old: 1
                             - /user/name: "Anna"
                             + /user/name: "Berta"
                To ignore the difference, add `.ignoring(headers: ["x-a", "x-b"], json: ["/new", "/old", "/user/name"])` to the matching.
                """)
    }

    @Test(arguments: [nil, "application/x-www-form-urlencoded"])
    func `a body that looks like a form but is invalid is not shown`(type: String?) {
        let bodies = ["hidden1 text", "hidden2/and+more=="]
        let entry = HAR.Entry.entry("POST").requested(bodies[0], type: type)
        let text = message(
            .request("POST", body: bodies[1], type: type), [[entry]], matching: .methodURLAndBody)
        #expect(!text.contains("hidden"))
        #expect(text.contains("body     ~ form"))
    }

    @Test func `with several archives, each entry is listed with its archive`() {
        let text = message(
            .request("GET", "http://a/x"), [[.entry("GET", "http://a/y")], [.entry("PUT", "http://a/x")]])
        #expect(
            text == """
                No entry matches GET http://a/x. [noMatchingEntry]
                Nearest of 2 entries in the 2 archives (- recorded, + requested, ~ differs):
                  1.har, entry 0  PUT http://a/x
                    method   - PUT
                             + GET
                  0.har, entry 0  GET http://a/y
                    path     - /y
                             + /x
                """)
    }

    @Test func `the message states that no entry is similar or that there are no entries`() {
        #expect(
            message(.request("GET", "http://z/x"), [[.entry("GET", "http://a/")]]) == """
                shop.har: No entry matches GET http://z/x. [noMatchingEntry]
                The only entry in the archive is not similar. Print it with `har entries`.
                """)
        #expect(message(.request("GET", "http://z/"), [[]]).hasSuffix("The archive has no entries."))
        #expect(
            message(.request("GET", "http://z/"), []).hasPrefix("No rule matches GET http://z/. [noMatchingEntry]\n"))
    }

    @Test func `if the host is ignored, entries with similar paths are listed`() {
        let entries: [HAR.Entry] = [
            .entry("GET", "http://localhost/planets"), .entry("GET", "http://localhost/Api/People/"),
            .entry("GET", "http://localhost/api/films"), .entry("GET", "http://localhost/other"),
        ]
        let matching = RequestMatching(required: [.method, .pathIgnoringCase])
        let text = message(.request("PUT", "https://a/api/people"), [entries], matching: matching)
        #expect(
            text == """
                shop.har: No entry matches PUT https://a/api/people. [noMatchingEntry]
                Nearest of 4 entries in the archive (- recorded, + requested, ~ differs):
                  entry 1  GET http://localhost/Api/People/
                    method   - GET
                             + PUT
                  entry 2  GET http://localhost/api/films
                    method   - GET
                             + PUT
                    path     - /api/films
                             + /api/people
                """)
        #expect(
            message(.request("GET", "http://z/planet"), [entries], matching: .anyHost).contains("entry 0"))
    }

    @Test func `entries with the same request are listed once`() {
        let entries = [HAR.Entry](repeating: .entry("GET", "http://a/x?1"), count: 9) + [.entry("GET", "http://a/y")]
        let text = message(.request("GET", "http://a/x"), [entries])
        #expect(text.contains("entry 0 ") && text.contains("entry 9 "))
        #expect(!text.contains("entry 1 "))
    }

    @Test func `long values are shortened, and control characters are replaced`() {
        let long = String(repeating: "long", count: 100)
        let text = message(
            .request("GE\u{1B}T", "http://a/\(long)?x=\(long)"), [[.entry("GET", "http://a/\(long)?x=1\(long)")]])
        #expect(text.contains("…"))
        #expect(!text.contains("\u{1B}"))
        let many = (0..<20).map { "x\($0)" }.joined(separator: "&")
        #expect(message(.request("GET", "http://a/"), [[.entry("GET", "http://a/?\(many)")]]).contains("… and 14 more"))
    }

    @Test func `a miss contains no secrets`() {
        let text = message(
            .request("GET", "http://user:hidden1@a/x?token=hidden2&api_key=hidden3&page=1"),
            [[.entry("GET", "http://me:hidden4@a/x?token=hidden5&page=2")]])
        #expect(!text.contains("hidden"))
        #expect(text.contains("~ token=•••"))
        #expect(text.contains("+ api_key=•••"))
    }

    @Test func `a recorded placeholder is shown, but not as a difference`() {
        let text = message(
            .request("GET", "http://a/x?token=hidden1&page=1&q=sk_live_\("hidden2AbCdEfGhIjKlMnOp")"),
            [[.entry("GET", "http://a/x?token=REDACTED-0123456789abcdef&page=2&q=1")]])
        #expect(!text.contains("hidden"))
        #expect(text.contains("x?token=REDACTED&page=2"))
        #expect(!text.contains("~ token") && text.contains("- page=2"))
    }
}
