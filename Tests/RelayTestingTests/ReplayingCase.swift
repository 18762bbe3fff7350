#if canImport(XCTest)
    import Relay
    import RelayTesting
    import XCTest

    /// XCTest tests that start a replay in `setUp`.
    final class ReplayingCase: XCTestCase {
        override func setUpWithError() throws { try replay("shop") }

        func testAThreadThatWaits() throws {
            XCTAssertEqual(try Shop.waitedText("/items"), "apples")
            XCTAssertNotNil(Interceptor.current)
        }

        func testATaskWithItsChildren() async throws {
            async let child = Shop.text("/items")
            let other = Task.detached { try await Shop.textByNewSession("/items") }
            let texts = try await [Shop.text("/items"), child, other.value]
            XCTAssertEqual(texts, ["apples", "apples", "apples"])
        }

        func testASecondCallTakesThePlaceOfTheFirst() async throws {
            let interceptor = try replay("sale")
            async let child = Shop.text("/prices")
            let texts = try await [Shop.text("/prices"), child]
            XCTAssertEqual(texts, ["half", "half"])
            XCTAssertTrue(Interceptor.current === interceptor)
        }

        func testAnArchiveOfTheTestsName() throws {
            try replay()
            XCTAssertEqual(try Shop.waitedText("/items"), "named")
        }

        func testRulesAndReports() async throws {
            let interceptor = try replay("shop", rules: [.stub("*/pears", .text("pears"))], reportsMisses: false)
            let pears = try await Shop.text("/pears")
            XCTAssertEqual(pears, "pears")
            let plums = try? await Shop.text("/plums")
            XCTAssertNil(plums)
            XCTAssertEqual(interceptor.report.missCount, 1)
        }

        func testAnArchiveThatIsNotThere() {
            XCTAssertThrowsError(try replay("there-is-none"))
        }
    }

    /// Tests with a replay that starts in a task that ends before the test starts.
    final class AsynchronousSetUpCase: XCTestCase {
        override func setUp() async throws { try replay("shop") }

        func testAThreadThatWaits() throws { XCTAssertEqual(try Shop.waitedText("/items"), "apples") }

        func testATask() async throws {
            let text = try await Shop.text("/items")
            XCTAssertEqual(text, "apples")
        }
    }

    /// Checks that a replay ends before the next test starts, regardless of the order of tests.
    final class LeftoverCase: XCTestCase {
        func testFirst() throws {
            XCTAssertNil(Interceptor.current)
            try replay("shop")
        }

        func testSecond() throws {
            XCTAssertNil(Interceptor.current)
            try replay("shop")
        }
    }
#endif
