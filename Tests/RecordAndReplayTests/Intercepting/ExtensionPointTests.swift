import Foundation
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct PathFilter: RequestFilter {
    let part: String

    func shouldProcess(request: URLRequest) -> Bool { request.url?.absoluteString.contains(part) == true }
}

private struct Echo: RequestProcessor {
    var name = "echo"

    func process(request: URLRequest) async throws -> NetworkResponse {
        guard let url = request.url,
            let head = HTTPURLResponse(url: url, statusCode: 202, httpVersion: nil, headerFields: ["X-Name": name])
        else { throw URLError(.badURL) }
        let body = request.httpBody.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        return NetworkResponse(url: url, httpURLResponse: head, responseData: Data("\(name) \(body)".utf8))
    }
}

private struct Suffix: ResponseModifier {
    let text: String

    func modify(response: NetworkResponse) async throws -> NetworkResponse {
        NetworkResponse(
            url: response.url, httpURLResponse: response.httpURLResponse,
            responseData: response.responseData + Data(text.utf8))
    }
}

private struct Refusal: Error {}

private struct Refusing: RequestProcessor, ResponseModifier {
    func process(request: URLRequest) async throws -> NetworkResponse { throw Refusal() }
    func modify(response: NetworkResponse) async throws -> NetworkResponse { throw Refusal() }
}

/// Custom filters, processors and modifiers.
@Suite(.limited) struct ExtensionPointTests {
    @Test func `all filters must accept a request, the first processor responds, and modifiers apply in order`()
        async throws
    {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        RelayURLProtocol.start(
            filter: [PathFilter(part: server.keyword), PathFilter(part: "/b")], request: [Echo(), Echo(name: "other")],
            modify: [Suffix(text: "1"), Suffix(text: "2")])
        let sent = try await URLSession.shared.answer(request(server.url("/b"), method: "POST", body: "hi"))
        #expect(sent.text == "echo hi12")
        #expect(sent.head.statusCode == 202)
        #expect(sent.head.value(forHTTPHeaderField: "X-Name") == "echo")
        #expect(try await URLSession.shared.text(server.url("/a")) == "live")
    }

    @Test func `modifiers are optional`() async throws {
        RelayURLProtocol.start(filter: [PathFilter(part: "example.invalid/plain")], request: [Echo()])
        #expect(try await URLSession.shared.text("https://example.invalid/plain") == "echo nothing")
    }

    @Test func `an array of filters, processors or modifiers acts like a single one`() async throws {
        let filters: [any RequestFilter] = [PathFilter(part: "a"), PathFilter(part: "b")]
        #expect(filters.shouldProcess(request: request("http://ab/")))
        #expect(!filters.shouldProcess(request: request("http://a/")))
        #expect(([] as [any RequestFilter]).shouldProcess(request: request("http://a/")))
        let processors: [any RequestProcessor] = [Echo(name: "1"), Echo(name: "2")]
        let answer = try await processors.process(request: request("http://a/"))
        #expect(String(decoding: answer.responseData, as: UTF8.self) == "1 nothing")
        let modifiers: [any ResponseModifier] = [Suffix(text: "-"), Suffix(text: "+")]
        #expect(
            try await String(decoding: modifiers.modify(response: answer).responseData, as: UTF8.self) == "1 nothing-+")
    }

    @Test func `a request without a processor fails`() async {
        RelayURLProtocol.start(filter: [PathFilter(part: "example.invalid/none")], request: [])
        await #expect {
            try await URLSession.shared.text("https://example.invalid/none")
        } throws: { error in
            if case RelayURLProtocolError.noRequestsToExecute = error { true } else { false }
        }
        await #expect {
            try await ([] as [any RequestProcessor]).process(request: request("http://a/"))
        } throws: { error in
            if case RecordingAndReplayingRequestProcessorError.missingStrategy = error { true } else { false }
        }
        var empty = request("http://a/")
        empty.url = nil
        await #expect {
            try await LiveRequestAndReplayRequestProcessor().process(request: empty)
        } throws: { error in
            if case LiveRequestAndReplayRequestProcessorError.invalidUrlInRequest = error { true } else { false }
        }
    }

    @Test func `the live processor throws an error for a response without a status`() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).txt")
        try Data("text".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        await #expect(throws: (any Error).self) {
            try await LiveRequestAndReplayRequestProcessor().process(request: URLRequest(url: file))
        }
    }

    @Test func `the filters of the original library select requests by scheme, keyword and marker header`() {
        let http: any RequestFilter = HTTPRequestFilter()
        #expect(http.shouldProcess(request: request("HTTPS://a/")) && http.shouldProcess(request: request("http://a/")))
        #expect(!http.shouldProcess(request: request("file:///a")))
        let words = KeywordRequestFilter(urlKeywordsForReplay: ["b", "c"])
        #expect(words.shouldProcess(request: request("http://a/c")))
        #expect(!words.shouldProcess(request: request("http://a/C")))
        #expect(KeywordRequestFilter(urlKeywordsForReplay: []).shouldProcess(request: request("http://a/")))
        var marked = request("http://a/")
        #expect(ReplayRequestFilter().shouldProcess(request: marked))
        marked.setValue("true", forHTTPHeaderField: "X-RelayReplay")
        #expect(!ReplayRequestFilter().shouldProcess(request: marked))
        #expect([http, words].shouldProcess(request: request("http://a/b")))
    }

    @Test(arguments: [-1, 42, 204, 600, 1000])
    func `the response of a processor can have any status, and keeps its data`(status: Int) async throws {
        struct AnyStatus: RequestProcessor, ResponseModifier {
            let status: Int

            func process(request: URLRequest) async throws -> NetworkResponse {
                let url = try #require(request.url)
                let head = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
                return NetworkResponse(url: url, httpURLResponse: try #require(head), responseData: Data("data".utf8))
            }

            func modify(response: NetworkResponse) async throws -> NetworkResponse { response }
        }
        let url = "https://example.invalid/status/\(status)"
        for modifiers: [any ResponseModifier] in [[], [AnyStatus(status: status)]] {
            RelayURLProtocol.start(
                filter: [PathFilter(part: url)], request: [AnyStatus(status: status)], modify: modifiers)
            let answer = try await URLSession.shared.answer(request(url))
            #expect(answer.head.statusCode == status && answer.text == "data")
        }
    }

    @Test func `a request fails with the error that a processor or modifier throws`() async {
        RelayURLProtocol.start(filter: [PathFilter(part: "example.invalid/refused")], request: [Refusing()])
        await #expect(throws: Refusal.self) { try await URLSession.shared.text("https://example.invalid/refused") }
        RelayURLProtocol.start(
            filter: [PathFilter(part: "example.invalid/refused")], request: [Echo()], modify: [Refusing()])
        await #expect(throws: Refusal.self) { try await URLSession.shared.text("https://example.invalid/refused") }
    }

    @Test func `a processor can replace the network`() async throws {
        Relay.interceptAndModify(requestProcessor: Echo(name: #"{"a": 1}"#), urlKeywords: ["example.invalid/own"])
        #expect(try await URLSession.shared.text("https://example.invalid/own") == #"{"a": 1} nothing"#)
        let config = InterceptionConfig(urlKeywords: ["example.invalid/own"])
        Relay.startInterceptingAndModifying(requestProcessor: Echo(), interceptionConfig: config)
        #expect(try await URLSession.shared.text("https://example.invalid/own") == "echo nothing")
    }

    @Test func `the live processor uses the network and bypasses every interceptor`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok("live") }
        Relay.interceptAndModify(requestProcessor: Echo(), urlKeywords: [server.keyword])
        let answer = try await LiveRequestAndReplayRequestProcessor().process(request: request(server.url("/")))
        #expect(String(decoding: answer.responseData, as: UTF8.self) == "live")
    }

    @Test(arguments: [
        RecordingAndReplayingRequestProcessorError.missingStrategy,
        .invalidUrlInRequest(request("http://a/?token=secret")),
        .sessionReplayNotConfigured(request("http://a/?token=secret")),
        .noRecordFoundForRequest(request("http://a/?token=secret"), URL(fileURLWithPath: "/nowhere/f/f.har")),
        .failedToReplay(URL(fileURLWithPath: "/f"), Refusal()),
        .failedToPerformLiveRequest(URL(fileURLWithPath: "/f"), Refusal()),
    ])
    func `error descriptions do not contain secrets`(error: RecordingAndReplayingRequestProcessorError) {
        #expect(error.localizedDescription.count > 20)
        #expect(!error.localizedDescription.contains("secret"))
    }
}
