#if canImport(XCTest)
    import Foundation
    import RelayTesting
    import XCTest

    /// Tests that must fail at the line that specifies the archive.
    ///
    /// See ``XCTestFailureTests``.
    final class FailingCase: XCTestCase {
        static let variable = "RELAY_RUNS_FAILING_CASES"

        override func setUpWithError() throws {
            try XCTSkipUnless(
                ProcessInfo.processInfo.environment[Self.variable] != nil,
                "Another test runs these tests and expects them to fail.")
        }

        func testMiss() async throws {
            try replay("shop")
            for _ in 1...2 { _ = try? await Shop.text("/pears") }
        }

        func testUnusedEntries() throws {
            try replay("shop", reportsUnusedEntries: true)
            _ = try Shop.waitedText("/items")
        }

        func testDamage() async throws {
            try replay("damaged")
            _ = try Shop.waitedText("/items")
        }

        func testThrownMiss() async throws {
            try replay("sale")
            _ = try await Shop.text("/cherries")
        }

        func testOperation() async throws {
            try await withReplay("shop") { _ = try? await Shop.text("/plums") }
        }
    }
#endif
