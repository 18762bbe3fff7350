public import Foundation
import HTTPArchive
public import RelayCore
import Synchronization

/// The interception that holds for the process until the next one is begun.
package enum ProcessInterception {
    private static let current = Mutex<ActiveInterception?>(nil)

    /// Begins to take the requests of every session, in place of what was begun here before.
    ///
    /// - Parameter interceptor: What takes them.
    /// - Returns: What ends it before the next one; it need not be kept.
    package static func begin(_ interceptor: Interceptor) -> ActiveInterception {
        // The previous one ends first: of two, none would take what other tasks ask.
        replace(with: nil)
        let interception = interceptor.beginInterceptingEverySession()
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
    /// Begins to answer the requests of every session from archives beside the calling file, for the whole process.
    ///
    /// This is for what has no end that could be waited for, such as a preview or a demonstration. Calling it again takes the
    /// place of the last call, so that previews of several views do not get into each other's way. Which requests are taken
    /// is said by ``beginInterceptingEverySession()``; ``current`` is the interceptor.
    ///
    /// ```swift
    /// try Interceptor.beginReplaying("shop")
    /// ```
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
    /// - Returns: What ends it before the next call; it need not be kept.
    /// - Throws: `invalidSetting` for an unknown mode; `unreadableArchive` for a missing or invalid archive.
    @discardableResult
    public static func beginReplaying(
        _ name: String, _ more: String..., in bundle: Bundle? = nil, matching: RequestMatching? = nil,
        rules: [Rule] = [], configuration: Configuration = Configuration(), mode: ReplayMode? = nil,
        filePath: String = #filePath
    ) throws(RelayError) -> ActiveInterception {
        let plan = ReplayPlan(
            names: [name] + more, search: ArchiveSearch(beside: filePath, in: bundle), matching: matching,
            rules: rules, configuration: configuration, mode: mode)
        return ProcessInterception.begin(try plan.makeInterceptor())
    }
}
