#if canImport(XCTest)
    import Foundation
    import Vinyl
    import XCTest

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// A test that must fail with a message about the nearest track.
    ///
    /// See ``XCTestFailureTests``.
    final class MissingTrackCase: XCTestCase {
        static let variable = "VINYL_RUNS_FAILING_CASES"

        func testMissingTrack() throws {
            try XCTSkipUnless(
                ProcessInfo.processInfo.environment[Self.variable] != nil,
                "Another test runs this and expects a failure.")
            let expectation = expectation(description: "The request fails.")
            let turntable = Turntable(vinylName: "vinyl_single", bundle: .module)
            turntable.dataTask(with: URL.of("http://api.test.com/missing")) { _, _, error in
                if error != nil { expectation.fulfill() }
            }.resume()
            wait(for: [expectation], timeout: 3600)
        }
    }
#endif
