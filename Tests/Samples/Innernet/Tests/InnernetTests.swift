import Foundation
import Innernet
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class InnernetTests: XCTestCase {
    func testMock() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.protocolClasses = [Innernet.InterceptProtocol.self]
        Innernet.intercept(.get, matching: "shop.example/items/*/info") { _, completion in
            completion(.mock(status: 200, data: Data("apples".utf8), headers: nil, httpVersion: nil))
        }
        let done = expectation(description: "The mock is delivered.")
        let url = URL(string: "https://shop.example/items/7/info")!
        URLSession(configuration: configuration).dataTask(with: url) { data, _, _ in
            XCTAssertEqual(data.map { String(decoding: $0, as: UTF8.self) }, "apples")
            done.fulfill()
        }.resume()
        waitForExpectations(timeout: 60)
    }
}
