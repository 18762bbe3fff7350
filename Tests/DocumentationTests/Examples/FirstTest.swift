import Foundation
import Relay
import Testing

@Test func `the shop has apples`() async throws {
    let interceptor = try Interceptor(archive: URL(fileURLWithPath: "HARSamples/chromium-embed.har"))
    let items = try #require(URL(string: "http://127.0.0.1:8765/items"))
    let (data, _) = try await interceptor.session().data(from: items)
    #expect(String(decoding: data, as: UTF8.self).contains("Äpfel"))
}
