import Innernet

/// Resets settings and intercepts before and after a test.
final class CleanSlate {
    init() { clean() }

    deinit { clean() }

    private func clean() {
        Innernet.disableExternalConsole()
        Innernet.disableLogging()
        Innernet.allowsPassthroughRequests = false
        Innernet.allowsConcurrentHandlers = false
        Innernet.timeoutThreshold = 15
        Innernet.unregisterAll()
    }
}
