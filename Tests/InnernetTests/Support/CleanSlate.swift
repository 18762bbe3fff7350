import Innernet

/// An object that resets settings and intercepts when it is created and when it is deallocated.
final class CleanSlate {
    init() { clean() }

    deinit { clean() }

    private func clean() {
        Innernet.disableExternalConsole()
        Innernet.disableLogging()
        Innernet.allowsPassthroughRequests = false
        Innernet.allowsConcurrentHandlers = false
        Innernet.timeoutThreshold = .infinity
        Innernet.unregisterAll()
    }
}
