public import Foundation
public import HTTPArchive
public import Relay
import Testing

/// Runs an operation within a test and responds to its requests from archives.
///
/// Use this function to choose an archive for each case of a parameterized test, because traits do not receive the
/// arguments:
///
/// ```swift
/// @Test(arguments: ["anna", "bob"])
/// func `each user loads their own name`(user: String) async throws {
///     let name = try await withReplay("users/\(user)") { try await ownName() }
///     #expect(name == user)
/// }
/// ```
///
/// In a recording mode, the archive is updated when the operation ends, unless the test failed during the operation. In
/// an XCTest test, only an error that the operation throws counts as a failure.
///
/// Within the operation, its interceptor is available as `Interceptor.current` and replaces the interceptor of a trait.
/// Misses and unused entries are reported as issues of the test at the calling line, or as failures in an XCTest test.
/// Archives are found in the same way as with `.replay`.
///
/// Settings that are nil are inherited from the traits of the test and from the ``ReplayDefaultSettings`` of the test
/// target. Rules are inherited only from the test target.
///
/// - Parameters:
///   - name: The name of the archive, with or without `.har`; it can include folders.
///   - more: The names of additional archives, in order of precedence after the first.
///   - bundle: A bundle with archives in its resources, such as `.module`; nil by default.
///   - folder: The only folder to search for archives and to record into, absolute or relative to the folder of the
///     calling file.
///   - matching: The rules for selecting entries; the setting in `configuration` by default.
///   - redaction: The redaction settings for recordings and messages; the setting in `configuration` by default.
///   - rules: Additional rules, such as stubs and overrides; none by default. They take precedence over the archives.
///   - configuration: All other settings; defaults if omitted.
///   - mode: The replay mode. If it is nil at all levels, the environment variable `RELAY_MODE` sets the mode
///     (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`). If the variable is not set either,
///     `configuration` determines the mode.
///   - reportsMisses: Whether each miss is reported as an issue, even if the code under test ignores the error; `true`
///     by default.
///   - reportsUnusedEntries: Whether unused entries are reported as an issue; `false` by default.
///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue; `false` by default.
///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as an issue instead
///     of a warning; `false` by default.
///   - fileID: The calling file.
///   - filePath: The path of the calling file, whose folder is searched for archives.
///   - line: The calling line.
///   - column: The calling column.
///   - isolation: The actor that the operation runs on; the caller's by default.
///   - operation: The code that makes the requests.
/// - Returns: The return value of the operation.
/// - Throws: Any error thrown by the operation; `invalidSetting` for an unknown mode; `unreadableArchive` for a missing
///   or invalid archive.
public func withReplay<Result>(
    _ name: String, _ more: String..., in bundle: Bundle? = nil, folder: String? = nil,
    matching: RequestMatching? = nil, redaction: HARRedactor.Configuration? = nil, rules: [Rule] = [],
    configuration: Interceptor.Configuration? = nil, mode: ReplayMode? = nil, reportsMisses: Bool? = nil,
    reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
    fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async throws -> Result {
    let defaults = ReplaySettings.defaults(ofFile: fileID)
    var inherited = Test.current.map(ReplayTrait.settings) ?? defaults
    inherited.rules = defaults.rules
    inherited.sharedRules = defaults.sharedRules
    let settings = inherited.refined(
        by: ReplaySettings(
            folder: folder, bundle: bundle, matching: matching, redaction: redaction, rules: rules,
            configuration: configuration, mode: mode, reportsMisses: reportsMisses,
            reportsUnusedEntries: reportsUnusedEntries, reportsUnusedRules: reportsUnusedRules,
            reportsChangedBodies: reportsChangedBodies, filePath: "\(filePath)"))
    let plan = settings.plan(
        names: [name] + more, beside: "\(filePath)", command: Test.current?.recordingCommand)
    // Outside Swift Testing, the page is named after the archive, so several tests can share it.
    let interceptor = try plan.makeInterceptor(
        page: Test.current?.archiveName ?? name, sharesPage: Test.current?.isParameterized ?? true)
    let outcome = TestOutcome()
    let result = await outcome.observe { try await interceptor.interceptEverySession(during: operation) }
    let findings = await interceptor.findings(after: outcome, settings)
    if Test.current != nil {
        findings.record(at: SourceLocation(fileID: fileID, filePath: "\(filePath)", line: line, column: column))
    } else {
        #if canImport(XCTest)
            findings.recordFailures(file: filePath, line: UInt(line))
        #endif
    }
    return try result.get()
}
