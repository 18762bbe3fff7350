import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ReplayModeTests {
    @Test(arguments: [
        ReplayMode.replay, .once, .new, .all, .passThrough, .live, .refresh(olderThan: .seconds(90)),
    ])
    func `the environment variable sets the mode`(mode: ReplayMode) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": mode.description]) == mode)
    }

    @Test(arguments: [("refresh:0s", 0), ("refresh:5m", 300), ("refresh:2h", 7200), ("refresh:30d", 2_592_000)])
    func `the environment variable sets the maximum age`(name: String, seconds: Int) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": name]) == .refresh(olderThan: .seconds(seconds)))
    }

    @Test(arguments: [
        ("ONCE", ReplayMode.once), ("Live", .live), ("passthrough", .passThrough), ("PASSTHROUGH", .passThrough),
        ("Refresh:1M", .refresh(olderThan: .seconds(60))),
    ])
    func `mode names are case-insensitive`(name: String, mode: ReplayMode) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": name]) == mode)
    }

    @Test func `the error for a misspelled mode suggests the correct one`() {
        #expect {
            try ReplayMode.named(in: ["RELAY_MODE": "onse"])
        } throws: { error in
            (error as? RelayError)?.message == """
                The environment variable RELAY_MODE has the unknown value 'onse'. Did you mean 'once'? Set it to one of: \
                replay, once, new, all, passThrough, live, refresh:AGE. AGE is a number with a unit (s, m, h, d), \
                such as 30d.
                """
        }
    }

    @Test(arguments: [[:], ["RELAY_MODE": ""], ["OTHER": "live"]])
    func `no mode is set without the environment variable`(environment: [String: String]) throws {
        #expect(try ReplayMode.named(in: environment) == nil)
    }

    @Test(arguments: [
        "record", " replay", "pass through", "refresh", "refresh:", "refresh:d", "refresh:3", "refresh:-1d",
        "refresh:9223372036854775807d",
    ])
    func `the error for an unknown mode lists the known modes`(name: String) {
        #expect {
            try ReplayMode.named(in: ["RELAY_MODE": name])
        } throws: { error in
            guard let error = error as? RelayError, error.code == .invalidSetting else { return false }
            return ["RELAY_MODE", "'\(name)'", "replay, once, new, all, passThrough, live", "30d"].allSatisfy(
                error.message.contains)
        }
    }
}
