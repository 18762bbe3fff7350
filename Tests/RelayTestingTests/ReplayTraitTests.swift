import Relay
import RelayTesting
import Testing

@Suite(.limited) struct ReplayTraitTests {
    @Test(.replay("shop")) func `every session uses the archive next to the test's file`() async throws {
        #expect(try await Shop.text("/items") == "apples")
        #expect(try await Shop.textByNewSession("/items") == "apples")
    }

    @Test(.replay()) func `a test uses the archive with its name`() async throws {
        #expect(try await Shop.text("/items") == "named")
    }

    @Test(.replay("shop", rules: [.stub("*/items", .text("pears"))]), arguments: 1...50)
    func `each case has its own interceptor`(number: Int) async throws {
        let interceptor = try #require(Interceptor.current)
        interceptor.add(.stub("*/number", .text("\(number)")))
        #expect(try await Shop.text("/number") == "\(number)")
        await Task.yield()
        async let child = Shop.text("/number")
        let task = Task { try await Shop.text("/number") }
        #expect(try await child == "\(number)")
        #expect(try await task.value == "\(number)")
        #expect(try await Shop.text("/items") == "pears")
        #expect(interceptor.report.archives.map(\.usedCount) == [0])
    }

    @Test(.replay("sale.har", "shop")) func `the first archive takes precedence`() async throws {
        #expect(try await Shop.text("/prices") == "half")
        #expect(try await Shop.text("/items") == "apples")
    }

    @Test(.replay("shop", matching: .recordedOrder)) func `the trait sets the matching`() async throws {
        #expect(try await Shop.text("/whatever") == "apples")
    }

    @Test(.replay("there-is-none", rules: [.stub("*/items", .text("live"))], mode: .live))
    func `a live test needs no archive and keeps its rules`() async throws {
        #expect(try await Shop.text("/items") == "live")
        #expect(Interceptor.current?.report.archives.isEmpty == true)
    }

    @Test func `without a trait, nothing is intercepted`() {
        #expect(Interceptor.current == nil)
    }
}
