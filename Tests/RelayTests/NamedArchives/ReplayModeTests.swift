import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite struct ReplayModeTests {
    @Test(arguments: [
        ReplayMode.replay, .once, .new, .all, .passThrough, .live, .refresh(olderThan: .seconds(90)),
    ])
    func `the environment variable sets a mode`(mode: ReplayMode) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": mode.description]) == mode)
    }

    @Test(arguments: [("refresh:0s", 0), ("refresh:5m", 300), ("refresh:2h", 7200), ("refresh:30d", 2_592_000)])
    func `the environment variable sets an age`(name: String, seconds: Int) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": name]) == .refresh(olderThan: .seconds(seconds)))
    }

    @Test(arguments: [[:], ["RELAY_MODE": ""], ["OTHER": "live"]])
    func `without the environment variable no mode is set`(environment: [String: String]) throws {
        #expect(try ReplayMode.named(in: environment) == nil)
    }

    @Test(arguments: [
        "Live", "record", " replay", "passthrough", "refresh", "refresh:", "refresh:d", "refresh:3", "refresh:-1d",
        "refresh:9223372036854775807d",
    ])
    func `an unknown mode is an error that lists the known ones`(name: String) {
        #expect {
            try ReplayMode.named(in: ["RELAY_MODE": name])
        } throws: { error in
            guard let error = error as? RelayError, error.code == .invalidSetting else { return false }
            return ["RELAY_MODE", "'\(name)'", "replay, once, new, all, passThrough, live", "30d"].allSatisfy(
                error.message.contains)
        }
    }
}
