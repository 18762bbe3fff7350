public import Foundation
import HTTPArchive
public import RelayCore
import Synchronization

/// The interception of the whole process, which lasts until the next one begins.
package enum ProcessInterception {
    private static let current = Mutex<ActiveInterception?>(nil)

    /// Begins intercepting every session, replacing the current interception of the process.
    ///
    /// - Parameter interceptor: The interceptor.
    /// - Returns: The interception, which need not be retained.
    /// - Throws: `unsupportedPlatform` if ``Interceptor/coverage`` is `noSession`.
    package static func begin(_ interceptor: Interceptor) throws(RelayError) -> ActiveInterception {
        // The previous interception ends first: while two are active, neither intercepts the requests of other tasks.
        replace(with: nil)
        let interception = try interceptor.beginInterceptingEverySession()
        replace(with: interception)
        return interception
    }

    private static func replace(with next: ActiveInterception?) {
        let previous = current.withLock { current in
            defer { current = next }
            return current
        }
        previous?.end()
    }
}

extension Interceptor {
    /// Begins replaying archives next to the calling file, in every session of the process.
    ///
    /// Use this where no code can end the interception, such as in a preview or demonstration. Another call replaces
    /// the interception, so previews of several views do not conflict. For the requests that are intercepted, see
    /// ``beginInterceptingEverySession()``. The property ``current`` returns the new interceptor.
    ///
    /// ```swift
    /// try Interceptor.beginReplaying("shop")
    /// ```
    ///
    /// - Parameters:
    ///   - name: The archive's name, with or without `.har`, and optionally with folders.
    ///   - more: Further archives, in order of precedence after the first.
    ///   - bundle: The bundle that contains the archives as resources; nil by default.
    ///   - matching: The matchers that select entries; nil (the default) for the matchers of `configuration`.
    ///   - rules: The rules to add, such as stubs and overrides, which take precedence over archives; none by default.
    ///   - configuration: All other settings.
    ///   - mode: The source of responses; nil (the default) for the mode in the environment variable `RELAY_MODE`, or
    ///     else in `configuration`.
    ///   - filePath: The path of the file next to the archives; the calling file by default.
    /// - Returns: The interception, which can be ended earlier. It need not be retained.
    /// - Throws: `invalidSetting` for an unknown mode, `unreadableArchive` for a missing or invalid archive, or
    ///   `unsupportedPlatform` if ``coverage`` is `noSession`.
    @discardableResult
    public static func beginReplaying(
        _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil,
        rules: [Rule] = [], configuration: Configuration = Configuration(), mode: ReplayMode? = nil,
        filePath: String = #filePath
    ) throws(RelayError) -> ActiveInterception {
        let plan = ReplayPlan(
            names: [name] + more, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: mode)
        return try ProcessInterception.begin(try plan.makeInterceptor())
    }
}
