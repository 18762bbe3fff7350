import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

/// Conversations with language models, which differ in their models, messages and tools.
@Suite(.limited) struct LanguageModelTests {
    private static let url = "https://api.chat.example/v1/chat/completions"

    private func body(_ messages: String, model: String = "m", tools: String = "[]", rest: String = "") -> String {
        #"{"model":"\#(model)","messages":[\#(messages)],"tools":\#(tools)\#(rest)}"#
    }

    private func interceptor(_ turns: [(sent: String, received: String)]) -> Interceptor {
        let entries = turns.map { HAR.Entry.entry("POST", Self.url, text: $1).requested($0, type: "application/json") }
        return Interceptor(entries, matching: .languageModel)
    }

    private func reply(_ interceptor: Interceptor, _ body: String, url: String = url) throws -> String? {
        try interceptor.reply(to: .request("POST", url, body: body, type: "application/json"))
    }

    @Test func `each turn of a conversation gets its own response, whatever its seeds and identifiers`() throws {
        let first = #"{"role":"user","content":"Hello","id":"1"}"#
        let call = #"{"role":"assistant","tool_calls":[{"id":"call_1","type":"function","function":{"name":"f"}}]}"#
        let result = #"{"role":"tool","tool_call_id":"call_1","content":"42"}"#
        let tools = #"[{"type":"function","function":{"name":"f","parameters":{}}}]"#
        let interceptor = interceptor([
            (body(first, tools: tools, rest: #","seed":1"#), "call"),
            (body("\(first),\(call),\(result)", tools: tools, rest: #","seed":2"#), "forty-two"),
        ])
        let second = #"{"id":"9","content":"Hello","role":"user"}"#
        let otherCall = call.replacing("call_1", with: "call_7")
        let otherResult = result.replacing("call_1", with: "call_7")
        for _ in 0..<2 {
            let later = body(
                "\(second),\(otherCall),\(otherResult)", tools: tools, rest: #","metadata":{"a":1},"seed":8"#)
            #expect(try reply(interceptor, later) == "forty-two", "in any order")
            #expect(try reply(interceptor, body(second, tools: tools, rest: #","seed":9"#)) == "call")
        }
        #expect(try reply(interceptor, body(second)) == nil, "other tools")
        #expect(try reply(interceptor, body(second, model: "n", tools: tools)) == nil)
        #expect(try reply(interceptor, body(second.replacing("Hello", with: "Bye"), tools: tools)) == nil)
        #expect(try reply(interceptor, body(second, tools: tools, rest: #","stream":true"#)) == nil)
    }

    @Test func `equal requests get their responses in recorded order`() throws {
        let message = #"{"role":"user","content":"Roll a die."}"#
        let interceptor = interceptor((1...3).map { (body(message, rest: ",\"seed\":\($0)"), "\($0)") })
        let replies = try [3, 3, 1, 2].map { try reply(interceptor, body(message, rest: ",\"seed\":\($0)")) }
        #expect(replies == ["1", "2", "3", "3"])
    }

    @Test func `chosen members are compared, and only they are reported`() {
        let matcher = RequestMatcher.jsonBody(members: ["a", "b"], ignoring: ["/b/**/t"])
        func verdict(_ recorded: String, _ requested: String) -> MatchVerdict {
            matcher.verdict(requested: .request("POST", body: requested), recorded: .request("POST", body: recorded))
        }
        #expect(verdict(#"{"a":1,"c":2}"#, #"{"c":3,"a":1.0,"d":4}"#) == .match)
        #expect(verdict(#"{"a":1,"b":[{"x":{"t":1}}]}"#, #"{"a":1,"b":[{"x":{"t":2}}]}"#) == .match)
        #expect(
            verdict(#"{"a":1,"c":2}"#, #"{"a":2,"c":3}"#).differences
                == [MatchDifference("body", recorded: "/a: 1", requested: "/a: 2", item: "/a")])
        #expect(!verdict(#"{"a":1}"#, "{}").isMatch)
        #expect(verdict("[1]", "[1]") == .match)
        #expect(!verdict("[1]", "[2]").isMatch)
        let ignoring = RequestMatching.languageModel.ignoring(json: ["/messages/*/content"])
        #expect(
            ignoring.required[2].verdict(
                requested: .request("POST", body: body(#"{"content":"a"}"#)),
                recorded: .request("POST", body: body(#"{"content":"b"}"#))) == .match)
    }

    // MARK: - Redaction

    @Test func `API keys are redacted, and limits and usage are kept`() throws {
        let key = "AIza" + "SyD4f8Kx29QmLp0aBvTz71WnRe5HcYuJg3o"
        let usage = """
            {"usage":{"prompt_tokens":14,"completion_tokens":3,"total_tokens":17,"input_tokens":2048,\
            "output_tokens":1024,"cache_read_input_tokens":12345678,\
            "completion_tokens_details":{"reasoning_tokens":99}}}
            """
        var exchange = CapturedExchange.exchange(
            "POST", "https://api.example/v1/models/m:stream?key=\(key)",
            requested: [
                "Authorization": "Bearer " + key, "x-api-key": key, "api-key": key, "x-goog-api-key": key,
                "Content-Type": "application/json",
            ], sent: Data(#"{"max_tokens":4096,"model":"m"}"#.utf8),
            fields: [
                "Content-Type": "text/event-stream", "x-ratelimit-limit-tokens": "30000",
                "x-ratelimit-remaining-tokens": "29987", "x-ratelimit-reset-tokens": "6ms", "retry-after": "3",
                "service-ratelimit-input-tokens-remaining": "39000",
                "service-ratelimit-tokens-reset": "2026-03-01T10:01:00Z",
            ], received: Data("data: \(usage)\n\ndata: [DONE]\n\n".utf8))
        exchange.customFields["_chunks"] = [["time": 5, "size": 30]]
        let builder = EntryBuilder(folder: URL(fileURLWithPath: "/no-folder"), redactor: try HARRedactor())
        let entry = try builder.entry(for: exchange, page: nil)
        let text = String(decoding: JSONValue.object(entry.fields).data(), as: UTF8.self)
        #expect(!text.contains(key))
        #expect(entry.request.headers.filter { $0.value.contains("REDACTED") }.count == 4)
        #expect(entry.request.queryString.first?.value.hasPrefix("REDACTED") == true)
        #expect(entry.response.headers.map(\.value) == exchange.head?.headers.map(\.value))
        #expect(entry.response.body == .data(exchange.body.data))
        #expect(entry.request.postData?.text == #"{"max_tokens":4096,"model":"m"}"#)
        #expect(entry["_chunks"] == exchange.customFields["_chunks"])
    }
}
