import Foundation
import Vinyl
import XCTest

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

final class VinylTests: XCTestCase {
    func testTurntable() {
        let turntable = Turntable(vinylName: "vinyl", bundle: .module)
        let done = expectation(description: "The track is played.")
        turntable.dataTask(with: URL(string: "https://shop.example/items")!) { data, response, error in
            XCTAssertEqual(data.map { String(decoding: $0, as: UTF8.self) }, "apples")
            XCTAssertEqual((response as? HTTPURLResponse)?.statusCode, 200)
            XCTAssertNil(error)
            done.fulfill()
        }.resume()
        waitForExpectations(timeout: 60)
    }
}
