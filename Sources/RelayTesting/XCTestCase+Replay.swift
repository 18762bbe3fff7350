#if canImport(XCTest)
    public import Foundation
    public import HTTPArchive
    public import Relay
    public import XCTest

    extension XCTestCase {
        /// Responds to requests from archives until the test ends.
        ///
        /// ```swift
        /// override func setUpWithError() throws { try replay("shop") }
        /// ```
        ///
        /// Call this method in any variant of `setUp` or during a test. A second call replaces the first. Requests of
        /// all sessions in the process are intercepted, in any task or thread, while no other interceptor is active.
        /// Misses and unused entries are reported as failures at the calling line when the test ends.
        ///
        /// Relay looks for the archive `NAME.har` in the folder of the test's file, then in its subfolder `Recordings`,
        /// and then at the same two paths in the bundle. An archive that several tests use is opened only once.
        ///
        /// - Parameters:
        ///   - names: The names of the archives in order of precedence, with or without `.har`; they can include
        ///     folders. If there are no names, the name is derived from the test, such as `ShopTests/testApples`.
        ///   - bundle: A bundle with archives in its resources; nil by default.
        ///   - folder: The only folder to search for archives and to record into, absolute or relative to the folder of
        ///     the calling file.
        ///   - matching: The rules for selecting entries; the setting in `configuration` by default.
        ///   - redaction: The redaction settings for recordings and messages; the setting in `configuration` by
        ///     default.
        ///   - rules: Additional rules, such as stubs and overrides; none by default. They take precedence over the
        ///     archives.
        ///   - configuration: All other settings; defaults if omitted.
        ///   - mode: The replay mode. If it is nil here and in the ``ReplayDefaultSettings`` of the test target, the
        ///     environment variable `RELAY_MODE` sets the mode (`replay`, `once`, `new`, `all`, `refresh:30d`,
        ///     `passThrough` or `live`). If the variable is not set either, `configuration` determines the mode.
        ///   - reportsMisses: Whether each miss is reported as a failure, even if the code under test ignores the
        ///     error; `true` by default.
        ///   - reportsUnusedEntries: Whether unused entries are reported as a failure; `false` by default.
        ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as a failure; `false` by
        ///     default.
        ///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as a
        ///     failure instead of a warning; `false` by default.
        ///   - file: The calling file, whose folder is searched for archives.
        ///   - line: The calling line.
        /// - Returns: The interceptor, to add rules, observe requests, or create sessions. It is stopped when the test
        ///   ends.
        /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
        @discardableResult
        public func replay(
            _ names: String..., in bundle: Bundle? = nil, folder: String? = nil, matching: RequestMatching? = nil,
            redaction: HARRedactor.Configuration? = nil, rules: [Rule] = [],
            configuration: Interceptor.Configuration? = nil, mode: ReplayMode? = nil, reportsMisses: Bool? = nil,
            reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
            file: StaticString = #filePath, line: UInt = #line
        ) throws -> Interceptor {
            let settings = ReplaySettings.defaults(ofModule: moduleName).refined(
                by: ReplaySettings(
                    folder: folder, bundle: bundle, matching: matching, redaction: redaction, rules: rules,
                    configuration: configuration, mode: mode, reportsMisses: reportsMisses,
                    reportsUnusedEntries: reportsUnusedEntries, reportsUnusedRules: reportsUnusedRules,
                    reportsChangedBodies: reportsChangedBodies, filePath: "\(file)"))
            var plan = settings.plan(
                names: names.isEmpty ? [archiveName] : names, beside: "\(file)",
                command: RecordingCommand.text(module: moduleName, names: nameParts))
            plan.isOptional = names.isEmpty && !rules.isEmpty
            let interceptor = try plan.makeInterceptor(page: archiveName)
            let interception = try ProcessInterception.begin(interceptor)
            let outcome = TestOutcome()
            let observer = FailureObserver(outcome)
            XCTestObservationCenter.shared.addTestObserver(observer)
            addTeardownBlock {
                await interceptor.findings(after: outcome, settings).recordFailures(file: file, line: line)
            }
            // Teardown blocks run in reverse order, so this one runs first.
            addTeardownBlock { [unowned self] in
                interception.end()
                XCTestObservationCenter.shared.removeTestObserver(observer)
                if let testRun, testRun.totalFailureCount > 0 { outcome.fail() }
            }
            return interceptor
        }

        /// The name of the test target.
        private var moduleName: String { String(String(reflecting: Self.self).prefix { $0 != "." }) }

        /// The names of the type and the test, from a test name of the form `Type.test` on Linux or `-[Type test]`
        /// elsewhere.
        private var nameParts: [String] { name.split { ".-[] ".contains($0) }.map(String.init) }

        /// The default name of the test's archive.
        private var archiveName: String { TestName.archiveName(of: nameParts) }
    }

    /// An observer that collects the descriptions of failures.
    private final class FailureObserver: NSObject, XCTestObservation {
        private let outcome: TestOutcome

        init(_ outcome: TestOutcome) { self.outcome = outcome }

        #if canImport(ObjectiveC)
            func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
                outcome.show(issue.compactDescription)
            }
        #else
            func testCase(
                _ testCase: XCTestCase, didFailWithDescription description: String, inFile file: String?,
                atLine line: Int
            ) {
                outcome.show(description)
            }
        #endif
    }
#endif
