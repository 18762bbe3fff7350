import Foundation
import RelayTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Test(.replay("chromium-embed")) func `the shop has apples`() async throws {
    let items = try #require(URL(string: "http://127.0.0.1:8765/items"))
    let (data, _) = try await URLSession.shared.data(from: items)
    #expect(String(decoding: data, as: UTF8.self).contains("Äpfel"))
}
