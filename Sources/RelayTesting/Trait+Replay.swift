public import Foundation
public import Relay
public import Testing

extension Trait where Self == ReplayTrait {
    /// Has the requests of a test, or of each test of a suite, answered from archives.
    ///
    /// ```swift
    /// @Test(.replay("shop"))
    /// func `the shop has apples`() async throws {
    ///     #expect(try await Shop().items().contains("apples"))
    /// }
    /// ```
    ///
    /// An archive `NAME.har` is looked for beside the test's file, then in a folder `Recordings` beside it, and then at the
    /// same two places in the bundle. Archives that many tests play are opened once.
    ///
    /// - Parameters:
    ///   - names: The archives' names in order of precedence, with or without `.har`, and with folders if need be. Without
    ///     any, the name is that of the test, in a folder for each type around it, with `-` in place of what is no letter,
    ///     digit or `_`: `ShopTests/the-shop-has-apples`.
    ///   - bundle: The bundle that has archives among its resources, such as `.module`; none by default.
    ///   - matching: How entries are chosen; as `configuration` says by default.
    ///   - rules: Rules to add: stubs, overrides and whatever else goes before the archives; none by default.
    ///   - configuration: All other settings; the default ones unless given.
    ///   - mode: Where answers come from, and what is recorded; when `nil`, the default, as the environment variable
    ///     `RELAY_MODE` says (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`), and as
    ///     `configuration` does where it says nothing.
    ///   - reportsMisses: Whether each request that nothing answers is an issue of the test, even if its code goes on; `true`
    ///     by default.
    ///   - reportsUnusedEntries: Whether entries that no request got are an issue of the test; `false` by default.
    ///   - fileID: The trait's file.
    ///   - filePath: The trait's file, beside which archives are.
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
