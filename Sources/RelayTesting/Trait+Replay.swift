public import Foundation
public import HTTPArchive
public import Relay
public import Testing

extension Trait where Self == ReplayTrait {
    /// Answers the requests of a test from the archives named by its suite, or else from the archive named after the
    /// test; see
    /// ``replay(_:in:folder:matching:redaction:rules:configuration:mode:reportsMisses:reportsUnusedEntries:reportsUnusedRules:reportsChangedBodies:fileID:filePath:line:column:)``.
    ///
    /// ```swift
    /// @Test(.replay) func `the shop has apples`() async throws { … }
    /// ```
    public static var replay: Self { ReplayTrait(.named([]), settings: ReplaySettings(), sourceLocation: nil) }

    /// Answers the requests of a test, or of each test in a suite, from archives.
    ///
    /// ```swift
    /// import Foundation
    /// import Relay
    /// import RelayTesting
    /// import Testing
    ///
    /// @Test(.replay("shop"))
    /// func `the shop has apples`() async throws {
    ///     #expect(try await Shop().items().contains("apples"))
    /// }
    /// ```
    ///
    /// Relay looks for the archive `NAME.har` in the folder of the test's file, then in its subfolder `Recordings`, and
    /// then at the same two paths in the bundle. An archive that several tests use is opened only once.
    ///
    /// A setting that is nil is inherited from the trait of an enclosing suite, or else from the
    /// ``ReplayDefaultSettings`` of the test target.
    ///
    /// - Parameters:
    ///   - names: The names of the archives in order of precedence, with or without `.har`; they can include folders.
    ///     If names are omitted, they are inherited. If no names are inherited, the name is derived from the test, such
    ///     as `ShopTests/the-shop-has-apples`, with a folder for each enclosing type and `-` instead of all characters
    ///     other than letters, digits and `_`. If there are rules but no names, this archive can be missing.
    ///   - bundle: A bundle with archives in its resources, such as `.module`; nil by default.
    ///   - folder: The only folder to search for archives and to record into, absolute or relative to the folder of the
    ///     trait's file.
    ///   - matching: The rules for selecting entries; the setting in `configuration` by default.
    ///   - redaction: The redaction settings for recordings and messages; the setting in `configuration` by default.
    ///   - rules: Additional rules, such as stubs and overrides; none by default. They take precedence over the
    ///     archives and over inherited rules.
    ///   - configuration: All other settings; defaults if omitted.
    ///   - mode: The replay mode. If it is nil at all levels, the environment variable `RELAY_MODE` sets the mode
    ///     (`replay`, `once`, `new`, `all`, `refresh:30d`, `passThrough` or `live`). If the variable is not set either,
    ///     `configuration` determines the mode.
    ///   - reportsMisses: Whether each miss is reported as an issue of the test, even if the code under test ignores
    ///     the error; `true` by default.
    ///   - reportsUnusedEntries: Whether unused entries are reported as an issue of the test; `false` by default.
    ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue of the test;
    ///     `false` by default.
    ///   - reportsChangedBodies: Whether requests whose body differs from the recorded one are reported as an issue of
    ///     the test instead of a warning; `false` by default.
    ///   - fileID: The trait's file.
    ///   - filePath: The path of the trait's file, whose folder is searched for archives.
    ///   - line: The trait's line.
    ///   - column: The trait's column.
    /// - Returns: The trait.
    public static func replay(
        _ names: String..., in bundle: Bundle? = nil, folder: String? = nil, matching: RequestMatching? = nil,
        redaction: HARRedactor.Configuration? = nil, rules: [Rule] = [],
        configuration: Interceptor.Configuration? = nil, mode: ReplayMode? = nil, reportsMisses: Bool? = nil,
        reportsUnusedEntries: Bool? = nil, reportsUnusedRules: Bool? = nil, reportsChangedBodies: Bool? = nil,
        fileID: String = #fileID, filePath: String = #filePath, line: Int = #line, column: Int = #column
    ) -> Self {
        let settings = ReplaySettings(
            folder: folder, bundle: bundle, matching: matching, redaction: redaction, rules: rules,
            configuration: configuration, mode: mode, reportsMisses: reportsMisses,
            reportsUnusedEntries: reportsUnusedEntries, reportsUnusedRules: reportsUnusedRules,
            reportsChangedBodies: reportsChangedBodies, filePath: filePath)
        return ReplayTrait(
            names.isEmpty && !rules.isEmpty ? .optional : .named(names), settings: settings,
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }

    /// Answers the requests of a test, or of each test in a suite, with stubs instead of archives.
    ///
    /// ```swift
    /// @Test(.stubs(.stub("api.example.com/items", .jsonValue(["apples"]))))
    /// func `the shop has apples`() async throws { … }
    /// ```
    ///
    /// A request that matches no rule fails and is reported as an issue of the test.
    ///
    /// - Parameters:
    ///   - rules: The rules. Later rules take precedence over earlier ones, and all of them take precedence over
    ///     inherited rules.
    ///   - reportsUnusedRules: Whether rules that did not affect any request are reported as an issue of the test. If
    ///     it is nil (the default), the setting is inherited. If it is not set at any level, it is `false`.
    ///   - fileID: The trait's file.
    ///   - filePath: The path of the trait's file.
    ///   - line: The trait's line.
    ///   - column: The trait's column.
    /// - Returns: The trait.
    public static func stubs(
        _ rules: Rule..., reportsUnusedRules: Bool? = nil, fileID: String = #fileID, filePath: String = #filePath,
        line: Int = #line, column: Int = #column
    ) -> Self {
        let settings = ReplaySettings(rules: rules, reportsUnusedRules: reportsUnusedRules, filePath: filePath)
        return ReplayTrait(
            .none, settings: settings,
            sourceLocation: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
}
