import Foundation
import HTTPArchive

/// Messages on standard error.
enum StandardError {
    /// Writes a line.
    static func line(_ text: some StringProtocol) {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    /// Writes a line if standard error is a terminal: the summary of a command that writes files.
    static func notice(_ text: String) {
        if Terminal.isConnected(to: STDERR_FILENO) { line(text) }
    }

    /// Writes an error.
    static func error(_ error: HARError) { line("har: error: \(error)") }
}
