import Foundation
import Relay
import RelayTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Code under test that does not depend on Relay.
struct Shop {
    struct Item: Decodable {
        let name: String
    }

    struct Closed: Error {}

    func items() async throws -> [String] {
        guard let url = URL(string: "http://127.0.0.1:8765/items") else { return [] }
        let (data, response) = try await URLSession.shared.data(from: url)
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw Closed() }
        return try JSONDecoder().decode([Item].self, from: data).map(\.name)
    }
}

@Test(.replay("chromium-embed")) func `the shop has pears and apples`() async throws {
    let items = try await Shop().items()
    #expect(items == ["Äpfel", "梨"])
}

@Suite(.replay("chromium-embed")) struct ShopTests {
    @Test func `the shop has two kinds of fruit`() async throws {
        #expect(try await Shop().items().count == 2)
    }

    @Test(.replay(rules: [.stub("127.0.0.1:8765/items", .status(503))]))
    func `a closed shop throws an error`() async {
        await #expect(throws: Shop.Closed.self) { try await Shop().items() }
    }

    @Test func `a shop that closes later throws an error`() async throws {
        _ = try await Shop().items()
        Interceptor.current?.add(.stub("127.0.0.1:8765/items", .status(503)))
        await #expect(throws: Shop.Closed.self) { try await Shop().items() }
    }
}

@Test(.stubs(.stub("127.0.0.1:8765/items", .jsonValue(["name": "Äpfel"]))))
func `a single item is not a list`() async {
    await #expect(throws: DecodingError.self) { try await Shop().items() }
}

final class ReplayDefaults: ReplayDefaultSettings {
    static var settings: ReplaySettings {
        ReplaySettings(matching: .standard.ignoring(queryItems: ["timestamp"]), reportsUnusedRules: true)
    }
}

@Test(.network(.forbid)) func `without an archive, nothing is loaded`() async {
    await #expect(throws: (any Error).self) { try await Shop().items() }
}

@Test(arguments: ["chromium-embed", "firefox", "mitmproxy"])
func `every tool recorded the apples`(archive: String) async throws {
    let items = try await withReplay(archive) { try await Shop().items() }
    #expect(items.contains("Äpfel"))
}

final class ShopCase: XCTestCase {
    override func setUpWithError() throws {
        try replay("chromium-embed")
    }

    func testTheShopHasApples() async throws {
        let items = try await Shop().items()
        XCTAssertEqual(items, ["Äpfel", "梨"])
    }
}

func itemsWithoutATest() async throws -> [String] {
    let items = try await Interceptor.replaying("chromium-embed").interceptEverySession {
        try await Shop().items()
    }
    return items
}

func beginDemonstration() throws {
    try Interceptor.beginReplaying("chromium-embed")
}

@Test func `a program gets the same items without a test framework`() async throws {
    #expect(try await itemsWithoutATest() == ["Äpfel", "梨"])
}
