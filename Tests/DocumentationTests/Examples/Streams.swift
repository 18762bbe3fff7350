import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client of an API in the form of chat completions.
private struct ChatClient {
    let session: URLSession

    /// Returns the text of a response, and its number of tokens.
    func response(to messages: [[String: String]]) async throws -> (text: String, tokens: Int?) {
        let body: JSONValue = [
            "seed": .number(JSONNumber(Int.random(in: 0..<1000))), "stream": true, "model": "parrot-1",
            "messages": .array(
                messages.map {
                    .object(JSONObject(members: $0.map { .init(name: .init($0), value: .string(.init($1))) }))
                }),
        ]
        let events = try await session.events("https://api.chat.example/v1/chat/completions", body)
        let text = events.map { $0["choices"]?[0]?["delta"]?["content"]?.text ?? "" }.joined()
        return (text, events.compactMap { $0["usage"]?["total_tokens"]?.int }.last)
    }
}

extension URLSession {
    /// Sends a request, and returns the data of the events in the response.
    fileprivate func events(_ url: String, _ body: JSONValue) async throws -> [JSONValue] {
        var request = URLRequest(url: try #require(URL(string: url)))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("invented", forHTTPHeaderField: "x-api-key")
        request.httpBody = body.data()
        let text = String(decoding: try await data(for: request).0, as: UTF8.self)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("data: {") }
        return try lines.map { try JSONValue(parsing: String($0.dropFirst(6))) }
    }
}

/// The examples for event streams of language models, run unchanged.
@Suite struct StreamExamples {
    private let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Recordings/assistant.har")

    @Test func `the turns of a conversation get their recorded responses`() async throws {
        var configuration = Interceptor.Configuration()
        configuration.matching = .languageModel
        let interceptor = try Interceptor(archive: archive, configuration: configuration)
        let client = ChatClient(session: interceptor.session())
        var messages = [["role": "user", "content": "Name a bird that lives near water."]]
        let first = try await client.response(to: messages)
        #expect(first.text == "The heron." && first.tokens == 17)
        messages += [
            ["role": "assistant", "content": first.text], ["role": "user", "content": "Name another one."],
        ]
        let second = try await client.response(to: messages)
        #expect(second.text == "The flamingo." && second.tokens == 30)
    }

    @Test func `a stream with named events keeps its pace`() async throws {
        var configuration = Interceptor.Configuration()
        configuration.matching = .languageModel
        configuration.matching.required.removeLast()
        configuration.matching.required.append(.jsonBody(members: ["model", "messages"], ignoring: ["/**/id"]))
        let interceptor = try Interceptor(archive: archive, configuration: configuration)
        interceptor.add(.override("api.messages.example/**", .recordedTimings(scaledBy: 0.1)))
        let events = try await interceptor.session().events(
            "https://api.messages.example/v1/messages",
            ["model": "owl-2", "messages": [["role": "user", "content": "Which bird hunts at night?", "id": "7"]]])
        #expect(events.map { $0["delta"]?["text"]?.text ?? "" }.joined() == "The owl.")
        #expect(events.compactMap { $0["usage"]?["output_tokens"]?.int } == [5])
        #expect(events.first?["type"]?.text == "message_start" && events.last?["type"]?.text == "message_stop")
    }
}
