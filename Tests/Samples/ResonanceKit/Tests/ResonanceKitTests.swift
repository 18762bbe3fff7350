import Foundation
import ResonanceKit
import XCTest

private struct Item: Decodable {
    let name: String
}

private struct Failure: Decodable, CustomStringConvertible {
    let reason: String

    var description: String { reason }
}

final class ResonanceKitTests: XCTestCase {
    func testMock() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let mocks = folder.appendingPathComponent("Mocks")
        try FileManager.default.createDirectory(at: mocks, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let mock = #"[{"request":{},"status":200,"method":"GET","response":{"name":"apples"}}]"#
        try Data(mock.utf8).write(to: mocks.appendingPathComponent("items.json"))
        let session = JSONSession(baseURL: "https://shop.example")
        session.urlSession = JSONMockServerSession(mockServer: try JSONMockServer(baseURL: mocks))
        let request = JSONRequest<Item, Failure>(method: .get, path: "items", session: session)
        let item = try await request.perform()
        XCTAssertEqual(item.name, "apples")
    }
}
