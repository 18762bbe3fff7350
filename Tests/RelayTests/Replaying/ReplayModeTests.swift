import HTTPArchive
import Testing

@testable import Relay

@Suite struct ReplayModeTests {
    @Test(arguments: ReplayMode.allCases) func `the environment names a mode`(mode: ReplayMode) throws {
        #expect(try ReplayMode.named(in: ["RELAY_MODE": mode.description]) == mode)
    }

    @Test(arguments: [[:], ["RELAY_MODE": ""], ["OTHER": "live"]])
    func `an environment without the variable names none`(environment: [String: String]) throws {
        #expect(try ReplayMode.named(in: environment) == nil)
    }

    @Test(arguments: ["Live", "record", " replay", "passthrough"])
    func `what is no mode is an error with those that there are`(name: String) {
        #expect {
            try ReplayMode.named(in: ["RELAY_MODE": name])
        } throws: { error in
            guard let error = error as? HARError, error.code == .invalidSetting else { return false }
            return ["RELAY_MODE", "'\(name)'", "replay, passThrough, live"].allSatisfy(error.message.contains)
        }
    }
}
