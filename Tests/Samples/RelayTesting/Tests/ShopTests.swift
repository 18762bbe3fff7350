import Foundation
import Relay
import RelayTesting
import Testing
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads items as an app does, independently of the source of the responses.
private func items(_ path: String = "items") async throws -> [String] {
    let url = try #require(URL(string: "https://shop.example/\(path)"))
    return try JSONDecoder().decode([String].self, from: try await URLSession.shared.data(from: url).0)
}

@Suite(.replay("shop", in: .module)) struct ShopTests {
    @Test func archive() async throws { #expect(try await items() == ["apples"]) }

    @Test(.replay) func inherited() async throws { #expect(try await items() == ["apples"]) }

    @Test(.replay(rules: [.stub("shop.example/sale", .jsonValue(["pears"]))])) func refined() async throws {
        #expect(try await items() == ["apples"])
        #expect(try await items("sale") == ["pears"])
    }
}

@Test(.stubs(.stub("shop.example/items", .jsonValue(["plums"])))) func stubs() async throws {
    #expect(try await items() == ["plums"])
}

/// The settings of this target.
final class ReplayDefaults: ReplayDefaultSettings {
    static var settings: ReplaySettings { ReplaySettings(matching: .standard.ignoring(queryItems: ["time"])) }
}

final class ShopCase: XCTestCase {
    override func setUpWithError() throws { try replay("shop") }

    func testArchive() async throws {
        let found = try await items("items?time=\(Date().timeIntervalSince1970)")
        XCTAssertEqual(found, ["apples"])
    }
}
