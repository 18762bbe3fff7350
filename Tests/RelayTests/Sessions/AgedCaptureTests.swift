import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sessions that were recorded a year ago.
@Suite(.limited) struct AgedCaptureTests {
    private let start = Date().addingTimeInterval(-365 * 86_400)

    /// Returns the date that is the given number of days after the recording.
    private func date(after days: Double) throws -> String {
        try #require(CookieDate.text(start.addingTimeInterval(days * 86_400)))
    }

    private func entry(_ url: String, status: Int = 200, cookies: [String] = [], text: String = "") -> HAR.Entry {
        var entry = HAR.Entry.entry("GET", url, status: status, headers: cookies.map { ("Set-Cookie", $0) }, text: text)
        entry.startedDateTime = HAR.text(start)
        return entry
    }

    /// The recorded log-in, which sets cookies that expired eleven months ago, and a request that needs them.
    private func entries(joinedBy separator: String? = nil) throws -> [HAR.Entry] {
        let cookies = [
            "sid=1; Expires=\(try date(after: 30)); Path=/; HttpOnly", "theme=dark; Path=/",
            "old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT; Path=/", "gone=; Expires=\(try date(after: -400)); Path=/",
            "ended=; Expires=\(try date(after: -0.001)); Path=/", "lang=en; Expires=\(try date(after: 1)); Path=/",
        ]
        return [
            entry(
                "https://shop.example/login", status: 302,
                cookies: separator.map { [cookies.joined(separator: $0)] } ?? cookies),
            entry("https://shop.example/account", text: "account"),
        ]
    }

    /// Logs in, requests the account, and returns the cookies that the second request sends.
    private func cookies(
        _ entries: [HAR.Entry], _ dates: MovedDates? = nil, rounds: Int = 1
    ) async throws -> [[String]] {
        var settings = Interceptor.Configuration()
        if let dates { settings.movedDates = dates }
        let interceptor = Interceptor(entries: entries, configuration: settings)
        let exchanges = interceptor.exchanges
        for _ in 0..<rounds {
            let session = interceptor.session(configuration: .ephemeral)
            _ = try await session.data(from: URL("https://shop.example/login"))
            #expect(try await session.text("https://shop.example/account") == "account")
        }
        interceptor.stop()
        var sent: [[String]] = []
        for await exchange in exchanges where exchange.request.url.hasSuffix("/account") {
            let value = exchange.request.headers.values(named: "cookie").joined()
            sent.append(value.split(separator: "; ").map(String.init).sorted())
        }
        return sent
    }

    @Test(arguments: [nil, MovedDates.cookies, .all])
    func `a request after a recorded log-in sends the cookies`(dates: MovedDates?) async throws {
        #expect(try await cookies(entries(), dates) == [["lang=en", "sid=1", "theme=dark"]])
    }

    @Test func `without moved dates, a request sends only session cookies`() async throws {
        #expect(try await cookies(entries(), MovedDates.none) == [["theme=dark"]])
    }

    @Test func `a response from the cache of the interceptor sets the same cookies`() async throws {
        let sent = try await cookies(entries(), rounds: 3)
        #expect(sent == Array(repeating: ["lang=en", "sid=1", "theme=dark"], count: 3))
    }

    @Test(arguments: ["\n", "\r\n"])
    func `cookies that a browser joined in one field are set`(separator: String) async throws {
        #expect(try await cookies(entries(joinedBy: separator)) == [["lang=en", "sid=1", "theme=dark"]])
    }

    @Test func `responses recorded at the client set cookies`() async throws {
        let entries = try entries().map { entry in
            var entry = entry
            entry.response.status = 200
            return entry.asSeenByClient
        }
        #expect(try await cookies(entries) == [["lang=en", "sid=1", "theme=dark"]])
    }

    @Test func `a truncated response sets cookies`() async throws {
        var entries = try entries()
        entries[0].response.status = 200
        entries[0].response["_error"] = "net::ERR_CONTENT_LENGTH_MISMATCH"
        let interceptor = Interceptor(entries: entries)
        let configuration = URLSessionConfiguration.ephemeral
        _ = try? await interceptor.session(configuration: configuration).data(from: URL("https://shop.example/login"))
        let names = configuration.httpCookieStorage?.cookies?.map(\.name) ?? []
        #expect(names.sorted() == ["lang", "sid", "theme"])
    }

    @Test func `only a response with expiry dates is converted again for each request`() throws {
        for (cookie, isConverted) in [("a=1; Max-Age=60", false), ("a=1; Expires=\(try date(after: 30))", true)] {
            let interceptor = Interceptor(entries: [entry("http://a/", cookies: [cookie])])
            _ = try interceptor.response()
            let (decision, isImmediate) = interceptor.decide(on: .request())
            #expect(isImmediate)
            #expect((decision.immediateReply?.form == nil) == isConverted)
        }
    }

    @Test func `overrides change the moved dates, and their own dates are not moved`() throws {
        let (recorded, other) = try (date(after: 30), date(after: 40))
        let interceptor = Interceptor(entries: [entry("http://a/", cookies: ["a=1; Expires=\(recorded)"])])
        interceptor.add(.override(.any, .addingHeader("Set-Cookie", "b=2; Expires=\(other)")))
        let cookies = try interceptor.response().headers.values(named: "set-cookie")
        #expect(cookies.count == 2 && cookies[0].hasPrefix("a=1; Expires=") && !cookies[0].hasSuffix(recorded))
        #expect(cookies.last == "b=2; Expires=\(other)")
    }

    @Test func `an archive that is extended keeps the recorded dates`() async throws {
        let archives = try TemporaryArchives()
        let server = try LoopbackServer { _ in LoopbackServer.ok("live", headers: "X-Live: 1\r\n") }
        let file = archives.folder.appendingPathComponent("Recordings/shop.har")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        var old = entry(server.url("/login"), cookies: ["sid=1; Expires=\(try date(after: 30)); Path=/"])
        old.response.headers.append(HAR.Header(name: "Date", value: try date(after: 0)))
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: [old]).write(to: file)
        let interceptor = try Interceptor.replaying("shop", mode: .new, filePath: archives.sourceFile)
        let session = interceptor.session(configuration: .ephemeral)
        _ = try await session.data(from: URL(server.url("/login")))
        #expect(try await session.text(server.url("/new")) == "live")
        #expect(await interceptor.finishRecording()?.recordedCount == 1)
        let archive = try HARArchive(contentsOf: file)
        #expect(archive.count == 2)
        #expect(try archive.entry(at: 0).response.headers == old.response.headers)
        #expect(try archive.entry(at: 1).request.cookies.map(\.name) == ["sid"])
    }
}
