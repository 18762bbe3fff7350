#if canImport(XCTest)
    public import Foundation
    public import Relay
    public import XCTest

    extension XCTestCase {
        /// Has the requests of a test answered from archives, from here to the end of the test.
        ///
        /// ```swift
        /// override func setUpWithError() throws { try replay("shop") }
        /// ```
        ///
        /// It may be called in any form of `setUp`, and in the middle of a test; a second call takes the place of the first.
        /// It takes what every session of the process starts, in whatever task or thread, as long as no other interceptor
        /// intercepts. Misses and unused entries are failures at the calling line when the test ends.
        ///
        /// An archive `NAME.har` is looked for beside the test's file, then in a folder `Recordings` beside it, and then at
        /// the same two places in the bundle. Archives that many tests play are opened once.
        ///
        /// - Parameters:
        ///   - names: The archives' names in order of precedence, with or without `.har`, and with folders if need be.
        ///     Without any, the name is that of the test, such as `ShopTests/testApples`.
        ///   - bundle: The bundle that has archives among its resources; none by default.
        ///   - matching: How entries are chosen; as `configuration` says by default.
        ///   - rules: Rules to add: stubs, overrides and whatever else goes before the archives; none by default.
        ///   - configuration: All other settings; the default ones unless given.
        ///   - mode: Where answers come from, and what is recorded; when `nil`, the default, as the environment variable
        ///     `RELAY_MODE` says (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`), and as
        ///     `configuration` does where it says nothing.
        ///   - reportsMisses: Whether each request that nothing answers is a failure, even if the code goes on; `true` by
        ///     default.
        ///   - reportsUnusedEntries: Whether entries that no request got are a failure; `false` by default.
        ///   - file: The calling file, beside which archives are.
        ///   - line: The calling line.
        /// - Returns: The interceptor, for rules, observation and sessions of its own; it is stopped when the test ends.
        /// - Throws: `invalidSetting` for a mode that there is not; `unreadableFile`, `malformedJSON`, `notAnArchive` or
        ///   `limitExceeded` for an archive.
        @discardableResult
        public func replay(
            _ names: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil, rules: [Rule] = [],
            configuration: Interceptor.Configuration = Interceptor.Configuration(), mode: ReplayMode? = nil,
            reportsMisses: Bool = true, reportsUnusedEntries: Bool = false, file: StaticString = #filePath,
            line: UInt = #line
        ) throws -> Interceptor {
            let plan = ReplayPlan(
                names: names.isEmpty ? [archiveName] : names, search: ArchiveSearch(beside: "\(file)", in: bundle),
                matching: matching, rules: rules, configuration: configuration, mode: mode)
            let interceptor = try plan.makeInterceptor(page: archiveName)
            let interception = ProcessInterception.begin(interceptor)
            let reported = ReplayFindings.Kinds(misses: reportsMisses, unusedEntries: reportsUnusedEntries)
            let outcome = TestOutcome()
            addTeardownBlock {
                let recording = await interceptor.finishRecording(keeping: !outcome.hasFailed)
                let findings = ReplayFindings(interceptor.report, reported, recording: recording)
                findings.recordFailures(file: file, line: line)
            }
            // This one runs before the other.
            addTeardownBlock { [unowned self] in
                interception.end()
                if let testRun, testRun.totalFailureCount > 0 { outcome.fail() }
            }
            return interceptor
        }

        /// The name of the test's archive: of `Type.test` on Linux, of `-[Type test]` elsewhere.
        private var archiveName: String {
            TestName.archiveName(of: name.split { ".-[] ".contains($0) }.map(String.init))
        }
    }
#endif
