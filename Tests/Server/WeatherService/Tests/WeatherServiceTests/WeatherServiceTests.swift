import AsyncHTTPClient
import Foundation
import HTTPArchive
import HummingbirdTesting
import RelayAsyncHTTPClient
import RelayCore
import Testing
import WeatherService

@Suite struct WeatherServiceTests {
    /// Calls the service, whose requests are answered from the archive and by rules.
    private func weather(_ city: String, rules: Rule...) async throws -> (status: Int, text: String) {
        let file = try #require(Bundle.module.url(forResource: "weather", withExtension: "har"))
        let interceptor = Interceptor(playing: [try HARArchive(contentsOf: file)])
        interceptor.add(rules)
        return try await interceptor.withHTTPClient { client in
            try await WeatherService(client: client).application.test(.router) { service in
                try await service.execute(uri: "/weather/\(city)", method: .get) { response in
                    (response.status.code, String(buffer: response.body))
                }
            }
        }
    }

    @Test func `the service uses the recorded response`() async throws {
        let response = try await weather("oslo")
        #expect(response.status == 200 && response.text == "-3 degrees, snow")
    }

    @Test func `the service uses a changed response`() async throws {
        let rule = Rule.override("api.weather.example/**", try .json(at: "/celsius", 30))
        try await #expect(weather("oslo", rules: rule).text == "30 degrees, snow")
    }

    @Test func `a city that was not recorded is an error`() async throws {
        try await #expect(weather("rome").status == 502)
    }

    @Test func `HTTP without TLS uses the proxy, too`() async throws {
        let interceptor = Interceptor(entries: [])
        interceptor.add(.stub("http://plain.example/", .text("plain")))
        let text = try await interceptor.withHTTPClient { client in
            let response = try await client.execute(
                HTTPClientRequest(url: "http://plain.example/"), timeout: .seconds(10))
            return String(buffer: try await response.body.collect(upTo: 100))
        }
        #expect(text == "plain")
    }

    @Test func `requests to the network are recorded`() async throws {
        let site = Interceptor(entries: [])
        site.add(.stub("**/forecast", .text("snow")))
        let recording = Interceptor(recordingInMemory: "weather")
        let address = try await site.serve { site in
            try await recording.withHTTPClient { client in
                for method in ["GET", "POST"] {
                    var request = HTTPClientRequest(url: "\(site.url)/forecast")
                    request.method = .RAW(value: method)
                    let sent = Data(repeating: 0x61, count: 200_000)
                    if method == "POST" { request.body = .bytes(sent, length: .unknown) }
                    let response = try await client.execute(request, timeout: .seconds(10))
                    let body = try await response.body.collect(upTo: 100)
                    #expect(String(buffer: body) == "snow")
                }
            }
            return site.url.absoluteString
        }
        let entries = await recording.recordedEntries
        #expect(entries.map(\.request.url) == Array(repeating: "\(address)/forecast", count: 2))
        #expect(entries.map(\.response.content.text) == ["snow", "snow"])
        #expect(entries.last?.request.postData?.text?.utf8.count == 200_000)
    }
}
