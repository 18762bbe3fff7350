public import Foundation
public import Relay
public import Testing

extension Trait where Self == ReplayTrait {
    /// Answers the requests of a test, or of each test of a suite, from archives.
    ///
    /// ```swift
    /// @Test(.replay("shop"))
    /// func `the shop has apples`() async throws {
    ///     #expect(try await Shop().items().contains("apples"))
    /// }
    /// ```
    ///
    /// An archive `NAME.har` is searched for in the folder of the test's file, then in its subfolder `Recordings`, and
    /// then at the same two paths in the bundle. An archive that is used by many tests is opened once.
    ///
    /// - Parameters:
    ///   - names: The names of the archives in order of precedence, with or without `.har`; they may include folders.
    ///     Without any, the name is derived from the test, with a folder for each enclosing type and `-` in place of
    ///     all characters other than letters, digits and `_`: `ShopTests/the-shop-has-apples`.
    ///   - bundle: The bundle that has archives among its resources, such as `.module`; none by default.
    ///   - matching: How entries are chosen; the setting of `configuration` by default.
    ///   - rules: Rules to add, such as stubs and overrides; they take precedence over the archives. None by default.
    ///   - configuration: All other settings; the default ones unless given.
    ///   - mode: The source of responses, and whether they are recorded. If `nil` (the default), the mode of the
    ///     environment variable `RELAY_MODE` (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`)
    ///     applies, or else the mode of `configuration`.
    ///   - reportsMisses: Whether each request that misses is an issue of the test, even if the code under test ignores
    ///     the error; `true` by default.
    ///   - reportsUnusedEntries: Whether unused entries are an issue of the test; `false` by default.
    ///   - fileID: The trait's file.
    ///   - filePath: The path of the trait's file, whose folder is searched for archives.
    ///   - line: The trait's line.
    ///   - column: The trait's column.
    /// - Returns: The trait.
    public static func replay(
        _ names: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil, rules: [Rule] = [],
        configuration: Interceptor.Configuration = Interceptor.Configuration(), mode: ReplayMode? = nil,
        reportsMisses: Bool = true, reportsUnusedEntries: Bool = false, fileID: String = #fileID,
        filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
        let plan = ReplayPlan(
            names: names, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching, rules: rules,
            configuration: configuration, mode: mode)
        return ReplayTrait(
            plan, reported: ReplayFindings.Kinds(misses: reportsMisses, unusedEntries: reportsUnusedEntries),
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
