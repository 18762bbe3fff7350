public import Foundation
import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that responds from archives next to the calling file.
    ///
    /// ```swift
    /// let names = try await Interceptor.replaying("shop").interceptEverySession {
    ///     try await loadNames()
    /// }
    /// ```
    ///
    /// The archive `NAME.har` is searched next to the file, then in a folder `Recordings` next to it, and then in the
    /// same two folders of the bundle. Interceptors share open archives.
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`, and optionally with folders.
    ///   - more: Further archives, in order of precedence after the first.
    ///   - bundle: The bundle with archives among its resources; nil by default.
    ///   - matching: The matchers that select entries; nil (the default) uses the matchers of `configuration`.
    ///   - rules: The rules to add, such as stubs and overrides, which take precedence over archives; none by default.
    ///   - configuration: All other settings; defaults if omitted.
    ///   - mode: The source of responses. If it is nil (the default), the environment variable `RELAY_MODE` sets the
    ///     mode, or else `configuration`.
    ///   - filePath: The path of the file next to the archives; the calling file by default.
    /// - Returns: The interceptor.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    /// - Complexity: O(1) for archives that are already open, else O(*n*) in the size of the files.
    public static func replaying(
        _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil,
        rules: [Rule] = [], configuration: Configuration = Configuration(), mode: ReplayMode? = nil,
        filePath: String = #filePath
    ) throws(RelayError) -> Interceptor {
        let plan = ReplayPlan(
            names: [name] + more, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: mode)
        return try plan.makeInterceptor()
    }
}
