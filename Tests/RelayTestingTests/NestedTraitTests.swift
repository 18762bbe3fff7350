import Relay
import Testing

@testable import RelayTesting

@Suite(
    .limited,
    .replay("shop", matching: .anyHost, rules: [.stub("*/both", .text("suite")), .stub("*/suite", .text("suite"))]))
struct NestedTraitTests {
    @Test func `the trait of a suite applies to its tests`() async throws {
        #expect(try await Shop.text("/prices") == "1")
    }

    @Test(.replay("sale")) func `the archives of a test replace the archives of its suite`() async throws {
        #expect(try await Shop.text("/prices") == "half")
        #expect(Interceptor.current?.report.archives.count == 1)
    }

    @Test(.replay("sale", reportsMisses: false)) func `the replaced archive has no effect`() async {
        await #expect(throws: (any Error).self) { _ = try await Shop.text("/items") }
    }

    @Test(.replay(reportsMisses: false)) func `a test keeps the archives and settings of its suite`() async throws {
        #expect(try await Shop.text("/items", host: "other.invalid") == "apples")
        await #expect(throws: (any Error).self) { _ = try await Shop.text("/pears") }
    }

    @Test(.replay) func `a trait without parentheses keeps the settings of its suite`() async throws {
        #expect(try await Shop.text("/items", host: "other.invalid") == "apples")
    }

    @Test(.replay(matching: .standard, reportsMisses: false))
    func `a setting of a test replaces the setting of its suite`() async {
        await #expect(throws: (any Error).self) { try await Shop.text("/items", host: "other.invalid") }
    }

    @Test(.replay(rules: [.stub("*/both", .text("test")), .stub("*/test", .text("test"))]))
    func `the rules of a test take precedence over the rules of its suite`() async throws {
        for (path, text) in [("/both", "test"), ("/suite", "suite"), ("/test", "test"), ("/items", "apples")] {
            #expect(try await Shop.text(path) == text)
        }
    }

    @Test(.stubs(.stub("*/test", .text("test")))) func `stubs disable the archives of the suite`() async throws {
        #expect(try await Shop.text("/test") == "test")
        #expect(try await Shop.text("/suite") == "suite")
        #expect(Interceptor.current?.report.archives.isEmpty == true)
    }

    @Test func `an operation inherits the matching, but not the rules`() async throws {
        try await withReplay("sale", reportsMisses: false) {
            let text = try await Shop.text("/prices", host: "other.invalid")
            #expect(text == "half")
            await #expect(throws: (any Error).self) { try await Shop.text("/suite") }
        }
    }

    @Suite(.limited, .replay("sale")) struct InnerSuite {
        @Test func `the archive of an inner suite replaces the archive of the outer suite`() async throws {
            #expect(try await Shop.text("/prices", host: "other.invalid") == "half")
        }
    }
}

/// The archive of the suite does not exist, but the test replaces it.
@Suite(.limited, .replay("there-is-none")) struct ReplacedTraitTests {
    @Test(.replay("shop")) func `a replaced trait does not open its archive`() async throws {
        #expect(try await Shop.text("/items") == "apples")
    }
}

@Suite(.limited, .replay("anna", folder: "Recordings/users")) struct RootFolderTests {
    @Test func `a suite sets the folder of its archives`() async throws {
        #expect(try await Shop.text("/me") == "anna")
    }

    @Test(.replay("bob")) func `a test uses another archive in the folder`() async throws {
        #expect(try await Shop.text("/me") == "bob")
    }

    @Test(.expectsIssues("unreadableArchive at +1"), .replay("shop"))
    func `no other folder is searched`() {
        Issue.record("The test ran.")
    }

    @Test func `an operation also uses the folder`() async throws {
        let name = try await withReplay("bob") { try await Shop.text("/me") }
        #expect(name == "bob")
    }
}

@Suite(.limited) struct StubTests {
    @Test(.stubs(.stub("shop.invalid/items", .text("stub")))) func `stubs do not need an archive`() async throws {
        #expect(try await Shop.text("/items") == "stub")
    }

    @Test(.expectsIssues("noMatchingEntry at +0"), .stubs(.stub("shop.invalid/items", .text("stub"))))
    func `a request without a stub fails`() async {
        await #expect(throws: (any Error).self) { try await Shop.text("/pears") }
    }

    @Test(.replay(rules: [.stub("shop.invalid/items", .text("stub"))]))
    func `a test with only rules does not need an archive`() async throws {
        #expect(try await Shop.text("/items") == "stub")
    }

    @Test(
        .expectsIssues("These rules matched no request:\n  */pears at +0"),
        .stubs(.stub("*/items", .text("stub")), .stub("*/pears", .text("stub")), reportsUnusedRules: true))
    func `unused rules are reported as an issue if enabled`() async throws {
        #expect(try await Shop.text("/items") == "stub")
    }
}

@Suite(.limited) struct TargetDefaultsTests {
    @Test func `a target without a settings class has no settings`() {
        #expect(ReplaySettings.defaults(ofModule: "NoSuchModule").matching == nil)
        #expect(ReplaySettings.defaults(ofModule: "Foundation").rules.isEmpty)
    }

    @Test func `the settings class of a target determines the settings of its tests`() throws {
        let settings = ReplaySettings.defaults(ofFile: #fileID)
        #expect(settings.rules.map(\.pattern.description) == ["target.invalid/**"])
    }

    @Test(.replay("shop")) func `settings of the target apply to traits`() async throws {
        #expect(try await Shop.text("/x", host: "target.invalid") == "target")
    }

    @Test func `settings of the target apply to operations`() async throws {
        let text = try await withReplay("shop") { try await Shop.text("/x", host: "target.invalid") }
        #expect(text == "target")
    }
}

/// The settings of this target.
final class ReplayDefaults: ReplayDefaultSettings {
    static var settings: ReplaySettings {
        ReplaySettings(rules: [.stub("target.invalid/**", .text("target"))])
    }
}
