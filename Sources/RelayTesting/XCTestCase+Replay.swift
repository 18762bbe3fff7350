#if canImport(XCTest)
    public import Foundation
    public import Relay
    public import XCTest

    extension XCTestCase {
        /// Answers the requests of a test from archives, from this call to the end of the test.
        ///
        /// ```swift
        /// override func setUpWithError() throws { try replay("shop") }
        /// ```
        ///
        /// Call this method in any form of `setUp` or in the middle of a test; a second call replaces the first. It
        /// intercepts the requests of every session of the process, in any task or thread, as long as no other
        /// interceptor is active. Misses and unused entries are failures at the calling line when the test ends.
        ///
        /// An archive `NAME.har` is searched for in the folder of the test's file, then in its subfolder `Recordings`,
        /// and then at the same two paths in the bundle. An archive that is used by many tests is opened once.
        ///
        /// - Parameters:
        ///   - names: The names of the archives in order of precedence, with or without `.har`; they may include
        ///     folders. Without any, the name is derived from the test, such as `ShopTests/testApples`.
        ///   - bundle: The bundle that has archives among its resources; none by default.
        ///   - matching: How entries are chosen; the setting of `configuration` by default.
        ///   - rules: Rules to add, such as stubs and overrides; they take precedence over the archives. None by
        ///     default.
        ///   - configuration: All other settings; the default ones unless given.
        ///   - mode: The source of responses, and whether they are recorded. If `nil` (the default), the mode of the
        ///     environment variable `RELAY_MODE` (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or
        ///     `live`) applies, or else the mode of `configuration`.
        ///   - reportsMisses: Whether each request that misses is a failure, even if the code under test ignores the
        ///     error; `true` by default.
        ///   - reportsUnusedEntries: Whether unused entries are a failure; `false` by default.
        ///   - file: The calling file, whose folder is searched for archives.
        ///   - line: The calling line.
        /// - Returns: The interceptor, to add rules, observe requests, or create sessions. It is stopped when the test
        ///   ends.
        /// - Throws: `invalidSetting` for an unknown mode; `unreadableFile`, `malformedJSON`, `notAnArchive` or
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
            let interception = try ProcessInterception.begin(interceptor)
            let reported = ReplayFindings.Kinds(misses: reportsMisses, unusedEntries: reportsUnusedEntries)
            let outcome = TestOutcome()
            addTeardownBlock {
                let recording = await interceptor.finishRecording(keeping: !outcome.hasFailed)
                let findings = ReplayFindings(interceptor.report, reported, recording: recording)
                findings.recordFailures(file: file, line: line)
            }
            // Teardown blocks run in reverse order, so this one runs first.
            addTeardownBlock { [unowned self] in
                interception.end()
                if let testRun, testRun.totalFailureCount > 0 { outcome.fail() }
            }
            return interceptor
        }

        /// The default name of the test's archive, from a test name of the form `Type.test` on Linux and `-[Type test]`
        /// elsewhere.
        private var archiveName: String {
            TestName.archiveName(of: name.split { ".-[] ".contains($0) }.map(String.init))
        }
    }
#endif
