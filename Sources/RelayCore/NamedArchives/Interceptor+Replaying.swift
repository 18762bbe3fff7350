public import Foundation
import HTTPArchive

extension Interceptor {
    /// Creates an interceptor that answers from archives beside the calling file.
    ///
    /// ```swift
    /// let names = try await Interceptor.replaying("shop").interceptEverySession {
    ///     try await loadNames()
    /// }
    /// ```
    ///
    /// An archive `NAME.har` is looked for beside the file, then in a folder `Recordings` beside it, and then at the same two
    /// places in the bundle. Archives that many interceptors play are opened once.
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`, and with folders if need be.
    ///   - more: Further archives, in order of precedence after the first.
    ///   - bundle: The bundle that has archives among its resources; none by default.
    ///   - matching: How entries are chosen; as `configuration` says by default.
    ///   - rules: Rules to add: stubs, overrides and whatever else goes before the archives; none by default.
    ///   - configuration: All other settings; the default ones unless given.
    ///   - mode: Where answers come from; when `nil`, the default, as the environment variable `RELAY_MODE` says, and as
    ///     `configuration` does where it says nothing.
    ///   - filePath: The file beside which archives are; the calling one by default.
    /// - Returns: The interceptor.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    /// - Complexity: O(1) for archives that were opened before, else O(*n*) in the size of the files.
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
