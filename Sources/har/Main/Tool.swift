import ArgumentParser
import Foundation
import HTTPArchive

/// Runs the command that was typed, and ends with its exit status: 0, 1 for an error, 2 for wrong usage.
@main struct Tool {
    static func main() async {
        // Output that nobody reads any more, as in `har entries FILE | head`, ends the tool quietly.
        signal(SIGPIPE, SIG_DFL)
        EndingSignals.handle()
        do {
            var command = try HARCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            exit(report(error))
        }
    }

    /// Tells the user, on the stream that fits.
    ///
    /// - Returns: The exit status.
    private static func report(_ error: any Error) -> Int32 {
        if let status = error as? ExitCode { return status.rawValue }
        if let error = error as? HARError {
            StandardError.error(error)
            return 1
        }
        switch HARCommand.exitCode(for: error) {
        case .success:
            print(HARCommand.fullMessage(for: error))
            return 0
        case .validationFailure:
            return fail(HARCommand.fullMessage(for: error).trimmingPrefix("Error: "), status: 2)
        default:
            return fail(error.localizedDescription)
        }
    }

    private static func fail(_ message: some StringProtocol, status: Int32 = 1) -> Int32 {
        StandardError.line("har: error: \(message)")
        return status
    }
}

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
