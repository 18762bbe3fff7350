import Relay
import RelayTesting
import Testing

@Suite(.replay("shop")) struct NestedTraitTests {
    @Test func `the trait of a suite applies to its tests`() async throws {
        #expect(try await Shop.text("/prices") == "1")
    }

    @Test(.replay("sale")) func `the trait of a test replaces that of its suite`() async throws {
        #expect(try await Shop.text("/prices") == "half")
        #expect(Interceptor.current?.report.archives.count == 1)
    }

    @Test(.replay("sale", reportsMisses: false)) func `the replaced trait has no effect`() async {
        await #expect(throws: (any Error).self) { _ = try await Shop.text("/items") }
    }

    @Suite(.replay("sale")) struct InnerSuite {
        @Test func `the trait of an inner suite replaces that of the outer one`() async throws {
            #expect(try await Shop.text("/prices") == "half")
        }
    }
}

/// The test's own archive does not exist and is not used.
@Suite(.replay("there-is-none")) struct ReplacedTraitTests {
    @Test(.replay("shop")) func `a replaced trait opens no archive`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }
}
