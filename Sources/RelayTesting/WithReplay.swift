public import Foundation
public import Relay
import Testing

/// Has the requests of an operation within a test answered from archives.
///
/// A case of a parameterised test has an archive of its own by it, for no trait is told the arguments:
///
/// ```swift
/// @Test(arguments: ["anna", "bob"])
/// func `everybody knows who they are`(user: String) async throws {
///     let name = try await withReplay("users/\(user)") { try await ownName() }
///     #expect(name == user)
/// }
/// ```
///
/// Where the mode records, what was recorded takes its place in the archive when the operation ends, unless the test has
/// failed in it; of a test of XCTest that is only seen by an error that the operation throws.
///
/// Within the operation its interceptor is `Interceptor.current`; it takes the place of a trait's. Misses and unused
/// entries are issues of the test at the calling line, in a test of XCTest failures. Archives are looked for as by
/// `.replay`.
///
/// - Parameters:
///   - name: The archive's name, with or without `.har`, and with folders if need be.
///   - more: Further archives, in order of precedence after the first.
///   - bundle: The bundle that has archives among its resources, such as `.module`; none by default.
///   - matching: How entries are chosen; as `configuration` says by default.
///   - rules: Rules to add: stubs, overrides and whatever else goes before the archives; none by default.
///   - configuration: All other settings; the default ones unless given.
///   - mode: Where answers come from, and what is recorded; when `nil`, the default, as the environment variable
///     `RELAY_MODE` says (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`), and as
///     `configuration` does where it says nothing.
///   - reportsMisses: Whether each request that nothing answers is an issue, even if the code goes on; `true` by default.
///   - reportsUnusedEntries: Whether entries that no request got are an issue; `false` by default.
///   - fileID: The calling file.
///   - filePath: The calling file, beside which archives are.
///   - line: The calling line.
///   - column: The calling column.
///   - isolation: The actor that the operation runs on; the caller's by default.
///   - operation: What makes the requests.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws; `invalidSetting` for a mode that there is not; `unreadableFile`, `malformedJSON`,
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
    // Outside of Swift Testing, several tests may have an archive's name as their page.
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
