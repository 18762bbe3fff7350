import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct ReplayPlanTests {
    typealias Unmatched = Interceptor.Configuration.UnmatchedRequests

    private let archives: TemporaryArchives

    init() throws { archives = try TemporaryArchives() }

    private func plan(
        _ names: String..., matching: RequestMatching? = nil, rules: [Rule] = [],
        configuration: Interceptor.Configuration = .init(), mode: ReplayMode? = nil
    ) -> ReplayPlan {
        ReplayPlan(
            names: names, search: ArchiveSearch(beside: archives.sourceFile), matching: matching, rules: rules,
            configuration: configuration, mode: mode)
    }

    @Test(
        arguments: [
            (nil, nil, nil, .replay), (nil, nil, "passThrough", .passThrough), (nil, .replay, "passThrough", .replay),
            (nil, .passThrough, "replay", .passThrough), (.passThrough, nil, nil, .passThrough),
            (.passThrough, nil, "replay", .replay), (.passThrough, .replay, "live", .replay),
            (nil, .live, nil, .live), (nil, nil, "live", .live), (nil, nil, "new", .new), (nil, .all, "live", .all),
        ] as [(Unmatched?, ReplayMode?, String?, ReplayMode)])
    func `the mode takes precedence over the environment, which takes precedence over the configuration`(
        configured: Unmatched?, mode: ReplayMode?, variable: String?, expected: ReplayMode
    ) throws {
        try archives.write("shop.har", saying: "a")
        var configuration = Interceptor.Configuration()
        if let configured { configuration.unmatchedRequests = configured }
        let environment = variable.map { ["RELAY_MODE": $0] } ?? [:]
        let interceptor = try plan("shop", configuration: configuration, mode: mode)
            .makeInterceptor(environment: environment)
        #expect(interceptor.mode == expected)
        #expect(interceptor.report.archives.count == (expected.asksArchives ? 1 : 0))
    }

    @Test func `in live mode, no archive is opened and the rules still apply`() throws {
        let interceptor = try plan("there-is-none", rules: [.stub(.any, .text("rule"))], mode: .live)
            .makeInterceptor(environment: ["RELAY_MODE": "ignored because of the mode"])
        #expect(try interceptor.text() == "rule")
    }

    @Test func `an invalid value in the environment is rejected`() throws {
        try archives.write("shop.har", saying: "a")
        #expect {
            try plan("shop").makeInterceptor(environment: ["RELAY_MODE": "lvie"])
        } throws: { error in
            (error as? RelayError)?.code == .invalidSetting
        }
    }

    @Test func `archives are named in order of precedence`() throws {
        try archives.write("first.har", saying: "first")
        try archives.write("Recordings/second.har", saying: "second")
        #expect(try plan("first", "second").makeInterceptor(environment: [:]).text() == "first")
        let interceptor = try plan("second", "first").makeInterceptor(environment: [:])
        #expect(try interceptor.text() == "second")
        #expect(interceptor.name == "second, first")
    }

    @Test func `the matching parameter takes precedence over the configuration`() throws {
        try archives.write("shop.har", saying: "a")
        var configuration = Interceptor.Configuration()
        configuration.matching = .recordedOrder
        let plain = try plan("shop", configuration: configuration).makeInterceptor(environment: [:])
        #expect(plain.configuration.matching.playsInRecordedOrder)
        let other = try plan("shop", matching: .strict, configuration: configuration).makeInterceptor(environment: [:])
        #expect(!other.configuration.matching.playsInRecordedOrder)
    }
}
