import ArchiveShapes
import Foundation
import HTTPArchive
import Synchronization
import Testing

/// Tests of ``Verifier`` with a server in memory.
///
/// `Tests/Verify/run` uses a real one.
@Suite struct VerifierTests {
    /// An exchange of the archive.
    private struct Exchange {
        var method = "GET"
        var path: String
        var headers: [String: String] = [:]
        var requestBody: String?
        var status = 200
        var responseHeaders: [String: String] = [:]
        var body: String
    }

    private func archive(_ exchanges: [Exchange]) throws -> HARArchive {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("shop.har")
        let writer = try HARWriter(to: url)
        for (index, exchange) in exchanges.enumerated() {
            var request = HAR.Request(method: exchange.method, url: "http://shop.example" + exchange.path)
            request.headers = exchange.headers.map { HAR.Header(name: $0.key, value: $0.value) }
            if let body = exchange.requestBody {
                request.postData = HAR.PostData(mimeType: "application/json", text: body)
            }
            let headers = exchange.responseHeaders.map { HAR.Header(name: $0.key, value: $0.value) }
            let content = HAR.Content(size: exchange.body.utf8.count, mimeType: "application/json", text: exchange.body)
            try writer.append(
                HAR.Entry(
                    startedDateTime: "2026-01-01T00:00:\(index < 10 ? "0" : "")\(index).000Z", time: 1,
                    request: request,
                    response: HAR.Response(status: exchange.status, headers: headers, content: content),
                    timings: HAR.Timings(send: 0, wait: 1, receive: 0)))
        }
        try writer.finish()
        return try HARArchive(contentsOf: url)
    }

    private func response(_ body: String, status: Int = 200, _ headers: [String: String] = [:]) -> LiveResponse {
        let content = HAR.Content(size: body.utf8.count, mimeType: "application/json", text: body)
        let fields = headers.map { HAR.Header(name: $0.key, value: $0.value) }
        return LiveResponse(
            response: HAR.Response(status: status, headers: fields, content: content), start: Date(), duration: 1)
    }

    private func verify(
        _ archive: HARArchive, selected: Set<Int>? = nil, unsafe: Bool = true, secrets: [String: String] = [:],
        _ server: @escaping @Sendable (OutgoingRequest) -> Result<LiveResponse, LiveFailure>
    ) async throws -> VerificationReport {
        let destinations = try Destinations(
            ["http://live.example/base"], isLive: false, origins: VerificationPlan.origins(of: archive))
        let plan = try VerificationPlan(of: archive, selected: selected, allowsUnsafe: unsafe, to: destinations)
        let verifier = Verifier(
            archive, plan, to: destinations, secrets: VerificationSecrets(secrets), redactor: try HARRedactor())
        return try await verifier.run { server($0) }
    }

    @Test func `takes identifiers, tokens and cookies from current responses`() async throws {
        let archive = try archive([
            Exchange(
                method: "POST", path: "/login", requestBody: "{}",
                responseHeaders: ["Set-Cookie": "sid=recorded; Path=/"], body: #"{"token":"recorded-token-1"}"#),
            Exchange(
                path: "/items", headers: ["Authorization": "Bearer recorded-token-1", "Cookie": "sid=recorded; x=1"],
                body: #"{"items":[{"id":41}],"next":"/items?cursor=c1"}"#),
            Exchange(path: "/items?cursor=c1", body: #"{"items":[{"id":42}],"next":null}"#),
            Exchange(path: "/items/42", body: #"{"id":42}"#),
            Exchange(method: "PUT", path: "/items/42", requestBody: #"{"id":42,"n":42}"#, body: #"{"id":42}"#),
        ])
        let sent = Mutex<[String]>([])
        let report = try await verify(archive) { request in
            let headers = request.headers.sorted { $0.name < $1.name }.map { "\($0.name): \($0.value)" }
            let body = request.body.map { String(decoding: $0, as: UTF8.self) } ?? ""
            sent.withLock { $0.append(([request.method, request.url] + headers + [body]).joined(separator: " | ")) }
            let path = String(request.url.dropFirst("http://live.example/base".count))
            switch path {
            case "/login": return .success(response(#"{"token":"new"}"#, ["Set-Cookie": "sid=fresh"]))
            case "/items": return .success(response(#"{"items":[{"id":7}],"next":"/items?cursor=c9"}"#))
            case "/items?cursor=c9": return .success(response(#"{"items":[{"id":8}],"next":null}"#))
            default: return .success(response(#"{"id":8}"#))
            }
        }
        #expect(report.findings.all.map { "\($0.key.difference)" } == [])
        #expect(
            sent.withLock { $0 } == [
                "POST | http://live.example/base/login | {}",
                "GET | http://live.example/base/items | Authorization: Bearer new | Cookie: sid=fresh; x=1 | ",
                "GET | http://live.example/base/items?cursor=c9 | ", "GET | http://live.example/base/items/8 | ",
                #"PUT | http://live.example/base/items/8 | {"id":8,"n":42}"#,
            ])
    }

    @Test func `does not send what depends on requests that are not sent`() async throws {
        let archive = try archive([
            Exchange(method: "POST", path: "/orders", requestBody: "{}", body: #"{"id":77}"#),
            Exchange(path: "/orders/77", body: #"{"id":77}"#), Exchange(path: "/other", body: "{}"),
        ])
        let sent = Mutex<[String]>([])
        let report = try await verify(archive, unsafe: false) { request in
            sent.withLock { $0.append(request.url) }
            return .success(response("{}"))
        }
        #expect(sent.withLock { $0 } == ["http://live.example/base/other"])
        #expect(report.skipped == [0: .unsafeMethod("POST"), 1: .dependency(0)])
    }

    @Test func `a request whose body was not recorded is not sent`() async throws {
        let archive = try archive([
            Exchange(method: "POST", path: "/a", headers: ["Content-Length": "7"], body: "{}"),
            Exchange(method: "POST", path: "/b", body: "{}"),
        ])
        let report = try await verify(archive) { _ in .success(response("{}")) }
        #expect(report.skipped == [0: .missingBody])
        #expect(report.responseCount == 1)
    }

    @Test func `selected entries bring the responses that they need`() async throws {
        let archive = try archive([
            Exchange(path: "/items", body: #"[{"id":5}]"#), Exchange(path: "/items/5", body: #"{"id":5,"a":1}"#),
            Exchange(path: "/other", body: "{}"),
        ])
        let sent = Mutex<[String]>([])
        let report = try await verify(archive, selected: [1]) { request in
            sent.withLock { $0.append(request.url) }
            return .success(response(request.url.hasSuffix("/items") ? #"[{"id":6,"new":1}]"# : #"{"id":6}"#))
        }
        #expect(sent.withLock { $0 } == ["http://live.example/base/items", "http://live.example/base/items/6"])
        #expect(report.findings.all.map(\.key.difference.text) == ["missing"])
        #expect(Array(report.drifted.keys) == [1])
    }

    @Test func `placeholders are replaced with secrets by name`() async throws {
        let archive = try archive([
            Exchange(
                path: "/a?api_key=REDACTED-0123456789abcdef",
                headers: ["Authorization": "Bearer REDACTED-fedcba9876543210", "Cookie": "s=REDACTED; t=1"], body: "{}")
        ])
        let sent = Mutex<[String]>([])
        let server: @Sendable (OutgoingRequest) -> Result<LiveResponse, LiveFailure> = { request in
            sent.withLock { $0.append(request.url + request.headers.map { $0.value }.sorted().joined(separator: "|")) }
            return .success(response("{}"))
        }
        let missing = try await verify(archive, secrets: ["API-KEY": "k y"], server)
        #expect(missing.skipped == [0: .missingSecret("authorization")])
        _ = try await verify(archive, secrets: ["api_key": "k y", "TOKEN": "t0"], server)
        #expect(sent.withLock { $0 } == ["http://live.example/base/a?api_key=k%20yBearer t0|t=1"])
    }

    @Test func `a server that is down is asked once`() async throws {
        let archive = try archive((0..<20).map { Exchange(path: "/\($0 % 3)x", body: "{}") })
        let count = Atomic(0)
        let report = try await verify(archive) { _ in
            count.add(1, ordering: .relaxed)
            return .failure(.unreachable("the connection is refused"))
        }
        #expect(count.load(ordering: .relaxed) == 1)
        #expect(Set(report.skipped.values) == [.unavailable("http://live.example: the connection is refused")])
        #expect(report.fails(on: nil))
    }

    @Test func `recorded statuses of the same request are accepted`() async throws {
        let archive = try archive([
            Exchange(path: "/job", status: 202, body: #"{"done":false}"#),
            Exchange(path: "/job", body: #"{"done":true}"#), Exchange(path: "/other", body: "{}"),
        ])
        let usual = try await verify(archive) { request in
            .success(
                response(
                    request.url.hasSuffix("job") ? #"{"done":false}"# : "{}",
                    status: request.url.hasSuffix("job") ? 202 : 200))
        }
        #expect(usual.findings.all.isEmpty)
        let unusual = try await verify(archive) { _ in .success(response("{}", status: 500)) }
        #expect(unusual.findings.all.map(\.key.part) == ["status", "status", "status"])
    }

    @Test func `an update changes only the responses with findings`() async throws {
        let archive = try archive([
            Exchange(path: "/a", responseHeaders: ["Date": "1", "X-Old": "1"], body: #"{"a":1}"#),
            Exchange(path: "/b", body: #"{"b":1}"#),
        ])
        let report = try await verify(archive) { request in
            .success(
                response(
                    request.url.hasSuffix("/a") ? #"{"a":"password=hunter2secret"}"# : #"{"b":2}"#,
                    ["Date": "2"].filter { _ in request.url.hasSuffix("/a") }))
        }
        let before = try String(contentsOf: archive.url, encoding: .utf8)
        let output = try OutputFile(url: archive.url)
        try EntryUpdate.write(archive, replacing: report.drifted, to: output)
        let updated = try HARArchive(contentsOf: archive.url)
        let entry = try updated.entry(at: 0)
        #expect(updated.count == 2)
        #expect(entry.response.headers.map { $0.name + $0.value } == ["Date1"])
        #expect(
            entry.response.bodyText?.contains("hunter2") == false
                && entry.response.bodyText?.contains("REDACTED") == true)
        #expect(
            try String(decoding: updated.text(at: 1), as: UTF8.self)
                == String(decoding: archive.text(at: 1), as: UTF8.self))
        #expect(before.hasPrefix(String(try String(contentsOf: archive.url, encoding: .utf8).prefix(60))))
    }
}
