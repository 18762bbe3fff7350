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
            write(error)
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

    /// Writes an error to standard error.
    static func write(_ error: HARError) {
        FileHandle.standardError.write(Data("har: error: \(error)\n".utf8))
    }

    private static func fail(_ message: some StringProtocol, status: Int32 = 1) -> Int32 {
        FileHandle.standardError.write(Data("har: error: \(message)\n".utf8))
        return status
    }
}
