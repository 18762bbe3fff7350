import Innernet

/// Has a test begin and end without settings and intercepts.
final class CleanSlate {
    init() { clean() }

    deinit { clean() }

    private func clean() {
        Innernet.disableExternalConsole()
        Innernet.disableLogging()
        Innernet.allowsPassthroughRequests = false
        Innernet.timeoutThreshold = 15
        Innernet.unregisterAll()
    }
}
