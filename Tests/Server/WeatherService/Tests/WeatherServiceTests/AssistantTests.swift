import AsyncHTTPClient
import Foundation
import HTTPArchive
import RelayAsyncHTTPClient
import RelayCore
import Testing

/// Event streams of language models, received by a client of AsyncHTTPClient.
@Suite struct AssistantTests {
    private let archive = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../DocumentationTests/Examples/Recordings/assistant.har").standardizedFileURL

    private func interceptor(speed: Double? = nil) throws -> Interceptor {
        var configuration = Interceptor.Configuration()
        configuration.matching = .languageModel
        let interceptor = try Interceptor(archive: archive, configuration: configuration)
        if let speed { interceptor.add(.override(.any, .recordedTimings(scaledBy: 1 / speed))) }
        return interceptor
    }

    /// Returns the data of the events in a stream.
    private func events(_ text: String) throws -> [JSONValue] {
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("data: {") }
        return try lines.map { try JSONValue(parsing: String($0.dropFirst(6))) }
    }

    @Test func `a stream with named events is received event by event`() async throws {
        let interceptor = try interceptor(speed: 20)
        let question = """
            {"stream": true, "system": "Answer in one word.", "model": "owl-2", "max_tokens": 9,
             "messages": [{"content": "Which bird hunts at night?", "role": "user"}]}
            """
        let text = try await interceptor.withHTTPClient { client in
            var request = HTTPClientRequest(url: "https://api.messages.example/v1/messages")
            request.method = .POST
            request.body = .bytes(Data(question.utf8))
            let response = try await client.execute(request, timeout: .seconds(30))
            var text = ""
            for try await chunk in response.body { text += String(buffer: chunk) }
            return text
        }
        #expect(
            text.hasPrefix("event: message_start\ndata: {") && text.hasSuffix("data: {\"type\":\"message_stop\"}\n\n"))
        #expect(try events(text).map { $0["delta"]?["text"]?.text ?? "" }.joined() == "The owl.")
        #expect(try events(text).compactMap { $0["usage"]?["output_tokens"]?.int } == [5])
    }

    @Test func `the turns of a conversation get their recorded responses`() async throws {
        let interceptor = try interceptor()
        let responses = try await interceptor.withHTTPClient { client in
            var responses: [String] = []
            var messages = [#"{"role": "user", "content": "Name a bird that lives near water."}"#]
            for seed in 1...2 {
                var request = HTTPClientRequest(url: "https://api.chat.example/v1/chat/completions")
                request.method = .POST
                request.headers.add(name: "Authorization", value: "Bearer invented")
                let conversation = messages.joined(separator: ", ")
                let body = #"{"seed": \#(seed), "stream": true, "model": "parrot-1", "messages": [\#(conversation)]}"#
                request.body = .bytes(Data(body.utf8))
                let response = try await client.execute(request, timeout: .seconds(30))
                #expect(response.headers.first(name: "x-ratelimit-remaining-tokens") == "29987")
                let text = String(buffer: try await response.body.collect(upTo: 1 << 20))
                #expect(text.hasSuffix("data: [DONE]\n\n"))
                let words = try events(text).map { $0["choices"]?[0]?["delta"]?["content"]?.text ?? "" }
                responses.append(words.joined())
                messages += [
                    #"{"role": "assistant", "content": "\#(words.joined())"}"#,
                    #"{"role": "user", "content": "Name another one."}"#,
                ]
            }
            return responses
        }
        #expect(responses == ["The heron.", "The flamingo."])
    }
}
