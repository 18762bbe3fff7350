import Foundation
import HTTPArchive

/// The signals that end the tool, after its temporary files are removed.
enum EndingSignals {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Handles the signals in a thread of its own, which may take locks and call anything, unlike a signal handler.
    ///
    /// Call it before any other thread is created: threads inherit which signals are blocked.
    static func handle() {
        // Nobody else reads the set later.
        nonisolated(unsafe) var signals = sigset_t()
        sigemptyset(&signals)
        // A tool that is started by nohup, or in the background of a script, stays deaf to what is ignored there.
        for number in numbers where !isIgnored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread {
            var number: Int32 = 0
            while sigwait(&signals, &number) != 0 {}
            // A second signal ends the tool at once.
            for number in numbers where sigismember(&signals, number) == 1 { signal(number, SIG_DFL) }
            let last = number
            TemporaryFile.removeAll { end(by: last, &signals) }
        }
    }

    /// Ends the process by the signal itself, so that a shell sees why.
    private static func end(by number: Int32, _ signals: inout sigset_t) -> Never {
        kill(getpid(), number)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        exit(128 + number)
    }

    private static func isIgnored(_ number: Int32) -> Bool {
        let old = signal(number, SIG_IGN)
        if unsafeBitCast(old, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { return true }
        signal(number, old)
        return false
    }
}
