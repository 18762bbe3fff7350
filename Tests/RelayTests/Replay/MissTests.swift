import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct MissTests {
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
        for line in error.message.split(separator: "\n") { #expect(line.count <= 80, "\(line)") }
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
                shop.har: No entry answers GET http://a/users/7?page=2.
                Nearest of the 6 entries of the archive (- recorded, + asked, ~ other value):
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
                """)
    }

    @Test func `a used up entry is described as such and listed first`() {
        var matching = RequestMatching.standard
        matching.repetition = .once
        let entries: [HAR.Entry] = [.entry("GET", "http://a/x?y"), .entry("GET", "http://a/x")]
        #expect(
            message(
                .request("GET", "http://a/x"), [entries], matching: matching, after: [.request("GET", "http://a/x")])
                    == """
                    shop.har: No entry answers GET http://a/x.
                    Nearest of the 2 entries of the archive (- recorded, + asked, ~ other value):
                      entry 1  GET http://a/x
                        matches, but is used up (repetition: once)
                      entry 0  GET http://a/x?y
                        query    - y
                    """)
    }

    @Test func `a used up entry is listed even among thousands of similar entries`() {
        let matching = RequestMatching(required: [.url, .body], repetition: .once)
        let entries = (0..<1_000).map { HAR.Entry.entry("POST", "http://a/").asked("\($0)") }
        let request = InterceptedRequest.request("POST", body: "777")
        let text = message(request, [entries], matching: matching, after: [request])
        #expect(text.contains("entry 777  POST http://a/\n    matches, but is used up"))
    }

    @Test func `differing header fields and bodies are listed without their values`() {
        let entry = HAR.Entry.entry("POST", request: [("X-A", "hidden1"), ("X-B", "hidden2")])
            .asked(#"{"user":{"name":"hidden3"},"old":1}"#, type: "application/json")
        let request = InterceptedRequest.request(
            "POST", headers: ["X-A": "hidden4"], body: #"{"user":{"name":"hidden5"},"new":[1]}"#,
            type: "application/json")
        let text = message(request, [[entry]], matching: .strict)
        #expect(!text.contains("hidden"))
        #expect(
            text == """
                shop.har: No entry answers POST http://a/.
                Nearest of the 1 entries of the archive (- recorded, + asked, ~ other value):
                  entry 0  POST http://a/
                    header   ~ x-a
                             - x-b
                    body     + /new
                             - /old
                             ~ /user/name
                """)
    }

    @Test(arguments: [nil, "application/x-www-form-urlencoded"])
    func `a body that is declared as a form but invalid is not shown`(type: String?) {
        let bodies = ["hidden1 text", "hidden2/and+more=="]
        let entry = HAR.Entry.entry("POST").asked(bodies[0], type: type)
        let text = message(
            .request("POST", body: bodies[1], type: type), [[entry]], matching: .methodURLAndBody)
        #expect(!text.contains("hidden"))
        #expect(text.contains(type == nil ? "body     ~ form" : "an item with an invalid name"))
    }

    @Test func `with several archives, each listed entry has its archive`() {
        let text = message(
            .request("GET", "http://a/x"), [[.entry("GET", "http://a/y")], [.entry("PUT", "http://a/x")]])
        #expect(
            text == """
                No entry answers GET http://a/x.
                Nearest of the 2 entries of the 2 archives (- recorded, + asked, ~ other value):
                  1.har, entry 0  PUT http://a/x
                    method   - PUT
                             + GET
                  0.har, entry 0  GET http://a/y
                    path     - /y
                             + /x
                """)
    }

    @Test func `a host without any entries is mentioned`() {
        #expect(
            message(.request("GET", "http://z/x"), [[.entry("GET", "http://a/")]]) == """
                shop.har: No entry answers GET http://z/x.
                None of the 1 entries of the archive has this host or path.
                """)
        #expect(message(.request("GET", "http://z/"), [[]]).hasSuffix("The archive has no entries."))
        #expect(message(.request("GET", "http://z/"), []).hasSuffix("No rule matches, and there is no archive."))
    }

    @Test func `if the host is ignored, entries with similar paths are near`() {
        let entries: [HAR.Entry] = [
            .entry("GET", "http://localhost/planets"), .entry("GET", "http://localhost/Api/People/"),
            .entry("GET", "http://localhost/api/films"), .entry("GET", "http://localhost/other"),
        ]
        let matching = RequestMatching(required: [.method, .pathIgnoringCase])
        let text = message(.request("PUT", "https://a/api/people"), [entries], matching: matching)
        #expect(
            text == """
                shop.har: No entry answers PUT https://a/api/people.
                Nearest of the 4 entries of the archive (- recorded, + asked, ~ other value):
                  entry 1  GET http://localhost/Api/People/
                    method   - GET
                             + PUT
                  entry 2  GET http://localhost/api/films
                    method   - GET
                             + PUT
                    path     - /api/films
                             + /api/people
                  entry 0  GET http://localhost/planets
                    method   - GET
                             + PUT
                    path     - /planets
                             + /api/people
                """)
        #expect(
            message(.request("GET", "http://z/x"), [entries], matching: .anyHost).contains("entry 0"))
    }

    @Test func `similar entries are listed once`() {
        let entries = [HAR.Entry](repeating: .entry("GET", "http://a/x?1"), count: 9) + [.entry("GET", "http://a/y")]
        let text = message(.request("GET", "http://a/x"), [entries])
        #expect(text.contains("entry 0 ") && text.contains("entry 9 "))
        #expect(!text.contains("entry 1 "))
    }

    @Test func `long texts are shortened, and control characters are escaped`() {
        let long = String(repeating: "long", count: 100)
        let text = message(
            .request("GE\u{1B}T", "http://a/\(long)?x=\(long)"), [[.entry("GET", "http://a/\(long)?x=1\(long)")]])
        #expect(text.contains("…"))
        #expect(!text.contains("\u{1B}"))
        let many = (0..<20).map { "x\($0)" }.joined(separator: "&")
        #expect(message(.request("GET", "http://a/"), [[.entry("GET", "http://a/?\(many)")]]).contains("… and 14 more"))
    }

    @Test func `secrets are not shown`() {
        let text = message(
            .request("GET", "http://user:hidden1@a/x?token=hidden2&api_key=hidden3&page=1"),
            [[.entry("GET", "http://me:hidden4@a/x?token=hidden5&page=2")]])
        #expect(!text.contains("hidden"))
        #expect(text.contains("~ token=•••"))
        #expect(text.contains("+ api_key=•••"))
    }

    @Test func `a recorded placeholder is mentioned`() {
        let text = message(
            .request("GET", "http://a/x?token=hidden1&page=1&q=sk_live_\("hidden2AbCdEfGhIjKlMnOp")"),
            [[.entry("GET", "http://a/x?token=REDACTED-0123456789abcdef&page=2&q=1")]])
        #expect(!text.contains("hidden"))
        #expect(text.contains("x?token=REDACTED&page=2"))
        #expect(!text.contains("~ token") && text.contains("- page=2"))
    }
}
