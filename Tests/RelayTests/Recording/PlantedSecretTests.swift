import ArchiveChecking
import Foundation
import HTTPArchive
import Logging
import Relay
import Synchronization
import Testing

@testable import RelayCore
import RelayLogging
@testable import RelayURLSession

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Checks that files and messages contain none of the secrets planted in all parts of real exchanges.
@Suite(.limited) struct PlantedSecretTests {
    /// A secret without a recognizable format that contains characters escaped in URLs and JSON.
    private static let named = #"Zq7-pl/4nt3d+"s\crt"#

    /// A secret that is valid in header fields.
    private static let plain = "Zq7-pl4nt3d.s3crt"

    /// Secrets with a recognizable format, assembled at run time so that secret scanners ignore this file.
    private static let formed = [
        "ghp_" + "pl4nt3dAbCdEfGhIjKlMnOpQrStUvWxYz012", "sk_live_" + "pl4nt3dAbCdEfGhIjKlMnOp",
        "xoxb-" + "123456789012-123456789012-pl4nt3dAbCdEfGhIjKlMnOp", "AKIA" + "PL4NT3D234567ABC",
        "AIza" + "pl4nt3dAbCdEfGhIjKlMnOpQrStUvWxYz01", "4711" + "1000" + "0000" + "0000",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.pl4nt3dAbCdEfGhIjKlMnOp",
    ]

    private let archives: TemporaryArchives
    private let server: LoopbackServer
    private let lines = Log<String>()

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer(Self.answer)
    }

    private static func json(_ text: String) -> String {
        String(decoding: JSONValue.string(JSONString(text)).data(layout: .compact), as: UTF8.self)
    }

    private static var encoded: String {
        named.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    }

    private static var login: String { #"{"user":"Ann","password":\#(json(named))}"# }

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    /// Returns the response of the server, with secrets in its header fields and body.
    private static func answer(_ request: LoopbackServer.Request) -> String {
        switch request.target.prefix(while: { $0 != "?" }) {
        case "/redirect":
            let location = "Location: /json?token=\(encoded)\r\n"
            return "HTTP/1.1 302 Found\r\nConnection: close\r\n\(location)Content-Length: 0\r\n\r\n"
        case "/binary":
            return LoopbackServer.ok(
                "\u{8}\u{0}\u{1}\(formed.joined(separator: "\u{0}\u{2}"))\u{3}",
                headers: "Connection: close\r\nContent-Type: application/octet-stream\r\n")
        case "/echo":
            return LoopbackServer.ok(
                "You sent \(plain), \(encoded) and \(formed.joined(separator: "; "))",
                headers: "Connection: close\r\nContent-Type: text/plain\r\n")
        case "/broken":
            let type = "Content-Type: application/json\r\n"
            return "HTTP/1.1 200 OK\r\nConnection: close\r\n\(type)Content-Length: 4711\r\n\r\n\(login)"
        default:
            let inner = json(#"{"b":\#(json(login))}"#)
            let body = #"{"access_token":"\#(plain)","a":\#(inner),"cursor":"\#(base64(login))","n":1}"#
            return LoopbackServer.ok(
                body,
                headers: "Connection: close\r\nContent-Type: application/json\r\n"
                    + "Set-Cookie: sid=\(plain); Path=/; HttpOnly\r\n")
        }
    }

    /// Returns requests with secrets, keyed by the part that contains the secret.
    private func requests() -> [String: URLRequest] {
        let url = { (path: String) in server.url(path) }
        let type = { (type: String) in ["Content-Type": type] }
        let mutation = #"mutation { login(name: "Ann", password: \#(Self.json(Self.named))) { id } }"#
        let graphQL =
            #"{"query":\#(Self.json(mutation)),"variables":{"in":{"password":\#(Self.json(Self.named))}}}"#
        var user = url("/json")
        user.replace("http://", with: "http://ann:\(Self.encoded)@")
        let requests = [
            "header": URLRequest(
                url("/json?1"), headers: ["X-Api-Key": Self.plain, "Authorization": "Bearer \(Self.plain)"]),
            "basic": URLRequest(
                url("/json?2"), headers: ["Authorization": "Basic \(Self.base64("ann:\(Self.plain)"))"]),
            "cookie": URLRequest(url("/json?3"), headers: ["Cookie": "theme=dark; sid=\(Self.plain)"]),
            "user": URLRequest(user),
            "query": URLRequest(url("/json?q=1&api_key=\(Self.encoded)")),
            "path": URLRequest(url("/json/\(Self.formed[0])/x?q=\(Self.formed[1])")),
            "form": URLRequest(
                url("/json?4"), method: "POST", headers: type("application/x-www-form-urlencoded"),
                body: "a=b&password=\(Self.encoded)"),
            "multipart": URLRequest(
                url("/json?5"), method: "POST", headers: type("multipart/form-data; boundary=b"),
                body: multipart(["a": "b", "password": Self.named, "meta": Self.login], boundary: "b")),
            "JSON": URLRequest(
                url("/json?6"), method: "POST", headers: type("application/json"),
                body: #"{"a":\#(Self.json(Self.login)),"x":"\#(Self.base64(Self.login))"}"#),
            "GraphQL": URLRequest(
                url("/json?7"), method: "POST", headers: type("application/json"), body: graphQL),
            "forms": URLRequest(
                url("/json?8"), method: "POST", headers: type("text/plain"),
                body: Self.formed.joined(separator: "\n")),
            "binary answer": URLRequest(url("/binary?8")),
            "redirect": URLRequest(url("/redirect")),
            "echo": URLRequest(url("/echo?api_key=\(Self.encoded)"), headers: ["X-Api-Key": Self.plain]),
            "broken": URLRequest(url("/broken?token=\(Self.encoded)")),
            "failing": URLRequest("http://127.0.0.1:1/?token=\(Self.encoded)", headers: ["X-Api-Key": Self.plain]),
        ]
        return requests
    }

    private func configuration(
        _ change: (inout Interceptor.Configuration) -> Void = { _ in }
    ) -> Interceptor.Configuration {
        var configuration = Interceptor.Configuration.patient
        var redaction = HARRedactor.Configuration()
        redaction.key = HARRedactor.Key(phrase: "a key of the tests")
        configuration.recording.redaction = redaction
        var logger = Logger(label: "test") { [lines] _ in NotingHandler(lines: lines) }
        logger.logLevel = .trace
        configuration.logger = logger
        change(&configuration)
        return configuration
    }

    /// Makes all requests and returns the response bodies, keyed by the part that contains the secret.
    private func answers(of interceptor: Interceptor) async -> [String: String] {
        let session = interceptor.session()
        var answers: [String: String] = [:]
        for (place, request) in requests().sorted(by: { $0.key < $1.key }) {
            do { answers[place] = try await session.text(request) } catch { answers[place] = "\(type(of: error))" }
        }
        return answers
    }

    /// Returns the contents of all files in the folder, keyed by name.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: archives.folder.path)
        var files: [String: Data] = [:]
        for name in names {
            let url = archives.folder.appendingPathComponent(name)
            if let data = try? Data(contentsOf: url) { files[name] = data }
        }
        return files
    }

    private func expectNothingSecret(sourceLocation: SourceLocation = #_sourceLocation) throws {
        for (name, data) in try files() {
            let leak = Self.leak(in: String(decoding: data, as: UTF8.self))
            #expect(leak == nil, "\(name)", sourceLocation: sourceLocation)
            #expect(Self.leak(in: name) == nil, sourceLocation: sourceLocation)
        }
        for line in lines.events { #expect(Self.leak(in: line) == nil, sourceLocation: sourceLocation) }
    }

    @Test(arguments: [RecordingConfiguration.Bodies.embed, .attach, .omit])
    func `files and messages contain no secrets`(bodies: RecordingConfiguration.Bodies) async throws {
        let configuration = configuration { $0.recording.bodies = bodies }
        let interceptor = try Interceptor.replaying(
            "shop", configuration: configuration, mode: .all, filePath: archives.sourceFile)
        let answers = await answers(of: interceptor)
        // While recording, the entries are in a draft.
        try expectNothingSecret()
        let report = try #require(await interceptor.finishRecording())
        #expect(report.failures.isEmpty)
        #expect(report.recordedCount == requests().count + 1)
        interceptor.noteUse(in: UseLog(archives.folder.appendingPathComponent("use.log")))
        try expectNothingSecret()
        #expect(Self.leak(in: "\(report) \(interceptor.report)") == nil)
        #expect(lines.events.contains { $0.contains("curl ") })

        // The server received the real values, and the callers received the real responses.
        let received = server.requests
        for (place, request) in requests() where !["failing", "user"].contains(place) {
            #expect(received.contains { $0.has(request) }, "\(place)")
        }
        for (place, answer) in answers where !["broken", "failing"].contains(place) {
            #expect(Self.leak(in: answer) != nil, "\(place)")
        }

        // The redactor, which `har` also uses, finds no secrets.
        let archive = try HARArchive(contentsOf: archives.folder.appendingPathComponent("Recordings/shop.har"))
        let redactor = try HARRedactor(try #require(configuration.recording.redaction))
        for number in 0..<archive.count {
            let entry = HAREvent.entry(try archive.entry(at: number))
            let findings = redactor.findings(
                in: entry, at: JSONPointer(), nil, bodiesIn: HAR.BodyFolder(archive.url.deletingLastPathComponent()))
            #expect(findings.allSatisfy { $0.rule == .unsearchedBody }, "\(findings)")
        }
        guard bodies != .omit else { return }

        // The same requests are answered from the archive.
        let count = server.requests.count
        let replaying = try Interceptor.replaying(
            "shop", configuration: configuration, mode: .replay, filePath: archives.sourceFile)
        let replayed = await self.answers(of: replaying)
        #expect(server.requests.count == count)
        #expect(replaying.report.missCount == 0, "\(replaying.report)")
        #expect(replayed.keys.allSatisfy { replayed[$0]?.isEmpty == answers[$0]?.isEmpty })
        #expect(!replayed.contains { $0.key != "failing" && $0.key != "broken" && Self.leak(in: $0.value) != nil })
        #expect(replayed["failing"] == "URLError")
    }

    @Test func `an archive that is written incrementally never contains a secret`() async throws {
        let url = archives.folder.appendingPathComponent("a.har")
        let interceptor = try Interceptor(recordingTo: url, configuration: configuration())
        _ = await answers(of: interceptor)
        try expectNothingSecret()
        await interceptor.finishRecording()
        #expect(try HARArchive(contentsOf: url).count == requests().count + 1)
        try expectNothingSecret()
    }

    @Test func `a miss reveals no secrets`() async throws {
        let url = archives.folder.appendingPathComponent("a.har")
        try await recordOther(into: url)
        for plan in [RequestMatching.standard, .strict, .methodURLAndBody, .graphQL] {
            let interceptor = try Interceptor(
                archive: url, configuration: configuration { $0.matching = plan })
            for request in requests().values {
                let error = await #expect(throws: (any Error).self) { try await interceptor.session().text(request) }
                #expect(Self.leak(in: "\(error.map { "\($0)" } ?? "")") == nil)
            }
            #expect(interceptor.report.missCount == requests().count)
            #expect(Self.leak(in: "\(interceptor.report) \(interceptor.report.misses)") == nil)
        }
        try expectNothingSecret()
    }

    /// Writes an archive with entries that are similar to the requests with secrets.
    private func recordOther(into url: URL) async throws {
        let entries = requests().values.map { request in
            HAR.Entry.entry("PUT", request.url.map { "\($0)".replacing("?", with: "/?other&") } ?? "", text: "other")
        }
        let redactor = try HARRedactor(try #require(configuration().recording.redaction))
        try HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries.map(redactor.redacted))
            .write(to: url)
    }

    @Test func `redacting an archive creates the same placeholders as redacting while recording`() throws {
        let request = InterceptedRequest.request(
            "POST", "http://a.test/?api_key=\(Self.encoded)",
            headers: ["Authorization": "Bearer \(Self.plain)", "Cookie": "sid=\(Self.plain)"], body: Self.login,
            type: "application/json")
        let answer = #"{"access_token":"\#(Self.plain)","x":"\#(Self.formed[0])"}"#
        let exchange = CapturedExchange(
            request: request, start: Date(timeIntervalSince1970: 0),
            head: CapturedExchange.Head(
                status: 200, headers: [HeaderField(name: "Content-Type", value: "application/json")]),
            body: SpooledBody(Data(answer.utf8)))
        let redactor = try HARRedactor(try #require(configuration().recording.redaction))
        let plain = try EntryBuilder(folder: archives.folder).entry(for: exchange, page: nil)
        let recorded = try EntryBuilder(folder: archives.folder, redactor: redactor).entry(for: exchange, page: nil)
        #expect(Self.leak(in: "\(plain.fields)") != nil)
        #expect(redactor.redacted(plain).fields == recorded.fields)
    }

    /// Returns the part of a secret that the text contains in any encoding, or nil.
    private static func leak(in text: String, depth: Int = 0) -> String? {
        let parts = ["pl/4nt3d", "pl4nt3d", "PL4NT3D", "4nt3d", "4711100000000000"]
        if let part = parts.first(where: text.contains) { return part }
        guard depth < 4 else { return nil }
        for form in [text.removingPercentEncoding ?? "", text.replacing("\\", with: "")] where form != text {
            if let leak = leak(in: form, depth: depth + 1) { return leak }
        }
        for run in text.split(whereSeparator: { !($0.isASCII && ($0.isLetter || $0.isNumber || "+/=".contains($0))) })
        where run.utf8.count >= 12 {
            let digits = run.filter { $0 != "=" }
            let padded = digits + String(repeating: "=", count: (4 - digits.count % 4) % 4)
            guard let data = Data(base64Encoded: padded) else { continue }
            if let leak = leak(in: String(decoding: data, as: UTF8.self), depth: depth + 1) { return leak }
        }
        return nil
    }
}

extension LoopbackServer.Request {
    /// Whether the server received the request with its real header fields and body.
    fileprivate func has(_ request: URLRequest) -> Bool {
        guard let url = request.url?.absoluteString, url.hasSuffix(target) else { return false }
        let fields = request.allHTTPHeaderFields ?? [:]
        return body == request.httpBody ?? Data()
            && fields.allSatisfy { $0 == "Cookie" || head.contains("\($0): \($1)") }
    }
}
