#if canImport(XCTest)
    import Foundation
    import Vinyl
    import XCTest

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A turntable shared by XCTest tests, as Vinyl's README recommends.
    class FooTests: XCTestCase {
        let turntable = Turntable(turntableConfiguration: TurntableConfiguration(matchingStrategy: .trackOrder))

        func test_1() {
            turntable.loadVinyl("vinyl_single")
            play()
        }

        func test_2() {
            turntable.loadVinyl("vinyl_single")
            play()
        }

        private func play() {
            let expectation = expectation(description: "The track is played.")
            turntable.dataTask(with: URL.of("http://anything/")) { data, _, _ in
                XCTAssertEqual(data, Data("hello".utf8))
                expectation.fulfill()
            }.resume()
            wait(for: [expectation], timeout: 3600)
        }
    }
#endif
