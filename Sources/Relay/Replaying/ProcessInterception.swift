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
