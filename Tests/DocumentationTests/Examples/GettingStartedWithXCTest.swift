import Foundation
import RelayTesting
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class ItemCase: XCTestCase {
    override func setUpWithError() throws {
        try replay("chromium-embed")
    }

    func testShopHasApples() async throws {
        let url = try XCTUnwrap(URL(string: "http://127.0.0.1:8765/items"))
        let (data, _) = try await URLSession.shared.data(from: url)
        XCTAssert(String(decoding: data, as: UTF8.self).contains("Äpfel"))
    }
}
