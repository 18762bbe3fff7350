import ArchiveInspection
import ArgumentParser
import CompressedArchives
import Foundation
import HTTPArchive
import RelayURLSession

/// The entry point.
///
/// The exit status is 0 for success, 1 for an error and 2 for a usage error.
@main struct Tool {
    static func main() async {
        StandardStreams.openClosed()
        // If the reader of a pipe exits, as in `har entries FILE | head`, the tool exits without an error message.
        signal(SIGPIPE, SIG_DFL)
        // Writing beyond the limit on the size of files is then an error instead of the end of the process.
        signal(SIGXFSZ, SIG_IGN)
        EndingSignals.handle()
        CompressedArchives.enable()
        var status: Int32 = 0
        do {
            try HARCommand.requireUTF8()
            try HARCommand.requireKnownCommand(in: CommandLine.arguments.dropFirst())
            var command = try HARCommand.parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            status = report(error)
        }
        for text in UnreadBodies.descriptions { StandardError.line("har: warning: \(text)".printable) }
        if status != 0 { exit(status) }
    }

    /// Prints an error to standard error, or the help text to standard output.
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
            if let option = UsageHint.wordReadAsHelp(in: Array(CommandLine.arguments.dropFirst())) {
                return fail("Unknown option '\(option.printable)'; for help, use --help", status: 2)
            }
            return print(HARCommand.fullMessage(for: error))
        case .validationFailure:
            let message = String(HARCommand.fullMessage(for: error).trimmingPrefix("Error: "))
            return fail(UsageHint.explained(message, for: Array(CommandLine.arguments.dropFirst())), status: 2)
        default:
            return fail(error.localizedDescription)
        }
    }

    /// Prints help or the version to standard output.
    ///
    /// - Returns: The exit status.
    private static func print(_ message: String) -> Int32 {
        let output = StandardOutput()
        do throws(HARError) {
            try output.line(message)
            // ArgumentParser stops parsing at `--version`, so `--verbose` is not available as a parsed option.
            if CommandLine.arguments.contains("--version"), CommandLine.arguments.contains("--verbose") {
                for line in PlatformReport.lines() { try output.line(line) }
            }
            try output.flush()
            return 0
        } catch {
            StandardError.error(error)
            return 1
        }
    }

    private static func fail(_ message: some StringProtocol, status: Int32 = 1) -> Int32 {
        StandardError.labeled("error:", message)
        return status
    }
}

/// Removes temporary files when a signal terminates the tool.
enum EndingSignals {
    private static let numbers = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    /// Handles the signals on a separate thread, which can call any function, unlike a signal handler.
    ///
    /// Call this before any other thread is created, because threads inherit the set of blocked signals.
    static func handle() {
        // Only the thread below uses the set after this function returns.
        nonisolated(unsafe) var signals = sigset_t()
        sigemptyset(&signals)
        // Signals that are already ignored, for example under nohup or in a background job of a script, stay ignored.
        for number in numbers where !isIgnored(number) { sigaddset(&signals, number) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Thread.detachNewThread {
            var number: Int32 = 0
            while sigwait(&signals, &number) != 0 {}
            // A second signal terminates the tool immediately.
            for number in numbers where sigismember(&signals, number) == 1 { signal(number, SIG_DFL) }
            let last = number
            TemporaryFile.removeAll { end(by: last, &signals) }
        }
    }

    /// Terminates the process with the signal itself, so that the shell reports it.
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
