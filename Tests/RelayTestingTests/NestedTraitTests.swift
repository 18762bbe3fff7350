import Relay
import RelayTesting
import Testing

@Suite(.replay("shop")) struct NestedTraitTests {
    @Test func `the trait of a suite holds for its tests`() async throws {
        #expect(try await Shop.text("/prices") == "1")
    }

    @Test(.replay("sale")) func `that of the test takes its place`() async throws {
        #expect(try await Shop.text("/prices") == "half")
        #expect(Interceptor.current?.report.archives.count == 1)
    }

    @Test(.replay("sale", reportsMisses: false)) func `and nothing is left of the suite's`() async {
        await #expect(throws: (any Error).self) { _ = try await Shop.text("/items") }
    }

    @Suite(.replay("sale")) struct InnerSuite {
        @Test func `that of an inner suite takes its place too`() async throws {
            #expect(try await Shop.text("/prices") == "half")
        }
    }
}

/// Its own archive is not there, and no test asks for it.
@Suite(.replay("there-is-none")) struct ReplacedTraitTests {
    @Test(.replay("shop")) func `a trait that is replaced opens nothing`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }
}
