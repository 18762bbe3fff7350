import Foundation
import RelayTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Test(.replay("chromium-embed")) func shopHasApples() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:8765/items"))
    let (data, response) = try await URLSession.shared.data(from: url)
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(String(decoding: data, as: UTF8.self).contains("Äpfel"))
}
