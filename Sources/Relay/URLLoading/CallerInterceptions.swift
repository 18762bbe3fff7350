import Synchronization

/// The interceptions that hold for a caller: for a task until it is over, for a thread, and in any case until the caller
/// begins the next one.
///
/// Nobody tells that a task is over. It is found out whenever that matters: when another one begins or ends, and when
/// somebody asks who has begun nothing.
enum CallerInterceptions {
    private struct Entry {
        let interception: ActiveInterception

        /// `nil` for a thread, and for a task whose end cannot be told.
        let life: TaskLife?
    }

    private static let entries = Mutex<[Caller: Entry]>([:])
    private static let count = Atomic(0)

    /// Begins to take the requests of every session for the caller, in place of what it has begun here before.
    ///
    /// - Parameter interceptor: What takes them.
    /// - Returns: What ends it before; it need not be kept.
    static func begin(_ interceptor: Interceptor) -> ActiveInterception {
        let caller = Caller.identified()
        end(of: caller)
        let entry = Entry(interception: interceptor.beginInterceptingEverySession(), life: TaskLife())
        let previous = entries.withLock { entries in
            defer { count.store(entries.count, ordering: .releasing) }
            return entries.updateValue(entry, forKey: caller)
        }
        previous?.interception.end()
        return entry.interception
    }

    /// Ends what the caller has begun here, and what tasks have that are over.
    ///
    /// - Parameter caller: Who asks; `nil` for nobody.
    /// - Complexity: O(*n*) in the number of interceptions that were begun here.
    static func end(of caller: Caller?) {
        guard count.load(ordering: .acquiring) > 0 else { return }
        let ended = entries.withLock { entries in
            let ended = entries.filter { $0.key == caller || $0.value.life?.isOver == true }
            for key in ended.keys { entries[key] = nil }
            count.store(entries.count, ordering: .releasing)
            return ended.values.map(\.interception)
        }
        for interception in ended { interception.end() }
    }
}

extension Interceptor {
    /// Begins to take the requests of every session for the task that calls, until it is over, or for the thread where
    /// there is no task.
    ///
    /// This is ``beginInterceptingEverySession()`` for code that has no place to end it at, such as the beginning of a test:
    /// nothing need be kept. It takes the place of what the caller has begun in this way before. In a thread it lasts until
    /// that happens or it is ended.
    ///
    /// - Returns: What ends it before.
    @discardableResult
    public func beginInterceptingForCaller() -> ActiveInterception { CallerInterceptions.begin(self) }
}
