public import Foundation
import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that responds to requests from archives next to the calling file.
    ///
    /// ```swift
    /// let names = try await Interceptor.replaying("shop").interceptEverySession {
    ///     try await loadNames()
    /// }
    /// ```
    ///
    /// Relay looks for the archive `NAME.har` next to the file, then in a folder named `Recordings` next to the file,
    /// and then at the same two locations in the bundle. Interceptors share open archives.
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`. It can include folders.
    ///   - more: The names of additional archives, in order of precedence after the first.
    ///   - bundle: A bundle with archives in its resources; nil by default.
    ///   - matching: The rules for selecting entries; nil (the default) to use the rules of `configuration`.
    ///   - rules: The rules to add, such as stubs and overrides, which take precedence over the archives; none by
    ///     default.
    ///   - configuration: All other settings; defaults if omitted.
    ///   - mode: The replay mode. If it is nil (the default), the environment variable `RELAY_MODE` sets the mode. If
    ///     the variable is not set either, `configuration` determines the mode.
    ///   - filePath: The path of the file whose folder contains the archives; the calling file by default.
    /// - Returns: The interceptor.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    /// - Complexity: O(1) for archives that are already open, otherwise O(*n*) in the size of the files.
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
