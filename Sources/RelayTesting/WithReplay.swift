public import Foundation
public import Relay
import Testing

/// Answers the requests of an operation within a test from archives.
///
/// Use this function to give each case of a parameterized test its own archive, because traits do not receive the
/// arguments:
///
/// ```swift
/// @Test(arguments: ["anna", "bob"])
/// func `everybody knows who they are`(user: String) async throws {
///     let name = try await withReplay("users/\(user)") { try await ownName() }
///     #expect(name == user)
/// }
/// ```
///
/// In a mode that records, the archive is updated when the operation ends, unless the test failed during the operation.
/// In an XCTest test, only an error that the operation throws counts as a failure.
///
/// Within the operation, its interceptor is `Interceptor.current` and replaces the interceptor of a trait. Misses and
/// unused entries are issues of the test at the calling line, or failures in an XCTest test. Archives are searched for
/// as by `.replay`.
///
/// - Parameters:
///   - name: The name of the archive, with or without `.har`; it may include folders.
///   - more: The names of further archives, in order of precedence after the first.
///   - bundle: The bundle that has archives among its resources, such as `.module`; none by default.
///   - matching: How entries are chosen; the setting of `configuration` by default.
///   - rules: Rules to add, such as stubs and overrides; they take precedence over the archives. None by default.
///   - configuration: All other settings; the default ones unless given.
///   - mode: The source of responses, and whether they are recorded. If `nil` (the default), the mode of the
///     environment variable `RELAY_MODE` (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`)
///     applies, or else the mode of `configuration`.
///   - reportsMisses: Whether each request that misses is an issue, even if the code under test ignores the error;
///     `true` by default.
///   - reportsUnusedEntries: Whether unused entries are an issue; `false` by default.
///   - fileID: The calling file.
///   - filePath: The path of the calling file, whose folder is searched for archives.
///   - line: The calling line.
///   - column: The calling column.
///   - isolation: The actor that the operation runs on; the caller's by default.
///   - operation: The code that makes the requests.
/// - Returns: The return value of the operation.
/// - Throws: The error of the operation; `invalidSetting` for an unknown mode; `unreadableFile`, `malformedJSON`,
///   `notAnArchive` or `limitExceeded` for an archive.
public func withReplay<Result>(
    _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil, rules: [Rule] = [],
    configuration: Interceptor.Configuration = Interceptor.Configuration(), mode: ReplayMode? = nil,
    reportsMisses: Bool = true, reportsUnusedEntries: Bool = false, fileID: String = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result
) async throws -> Result {
    let plan = ReplayPlan(
        names: [name] + more, search: ArchiveSearch(beside: "\(filePath)", in: bundle), matching: matching,
        rules: rules, configuration: configuration, mode: mode)
    // Outside Swift Testing, several tests may use the archive's name as their page.
    let interceptor = try plan.makeInterceptor(
        page: Test.current?.archiveName ?? name, sharesPage: Test.current?.isParameterized ?? true)
    let outcome = TestOutcome()
    let result = await outcome.observe { try await interceptor.interceptEverySession(during: operation) }
    let recording = await interceptor.finishRecording(keeping: !outcome.hasFailed)
    let findings = ReplayFindings(
        interceptor.report, ReplayFindings.Kinds(misses: reportsMisses, unusedEntries: reportsUnusedEntries),
        recording: recording)
    if Test.current != nil {
        findings.record(at: SourceLocation(fileID: fileID, filePath: "\(filePath)", line: line, column: column))
    } else {
        #if canImport(XCTest)
            findings.recordFailures(file: filePath, line: UInt(line))
        #endif
    }
    return try result.get()
}
