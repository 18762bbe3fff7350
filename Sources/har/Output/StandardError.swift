import ArchiveRepair
import Foundation
import HTTPArchive

/// Messages on standard error.
enum StandardError {
    /// Writes a line.
    static func line(_ text: some StringProtocol) {
        StandardStreams.writeToStandardError("\(text.withoutControls)\n")
    }

    /// Writes a line, such as the summary of a command that writes files, if standard error is a terminal.
    static func notice(_ text: String) {
        if Terminal.isConnected(to: STDERR_FILENO) { line(text) }
    }

    /// Writes an error, and the command that repairs a damaged archive.
    static func error(_ error: HARError) {
        labeled("error:", "\(error)")
        guard let file = error.context.file, file != "standard input", mayBeRepaired(file, after: error) else { return }
        line("har: note: to repair a damaged archive, use: har repair \(file)".printable)
    }

    /// Whether a file may be repaired, and its error does not say so.
    private static func mayBeRepaired(_ file: String, after error: HARError) -> Bool {
        let isMentioned = ["har repair", "--broken", "cannot be repaired"].contains { error.message.contains($0) }
        guard !isMentioned, error.code == .malformedJSON || error.code == .notAnArchive else { return false }
        if error.code == .malformedJSON, error.context.pointer?.components.first == "log" { return true }
        return HARRepair.mayRepair(URL(fileURLWithPath: file))
    }

    /// Writes a line with the name of the tool and a label, which is red on a terminal with colors.
    static func labeled(_ label: String, _ message: some StringProtocol) {
        let label = Terminal.hasColors(STDERR_FILENO) ? "\u{1B}[1;31m\(label)\u{1B}[0m" : label
        StandardStreams.writeToStandardError("har: \(label) \(message.withoutControls)\n")
    }
}
