import Foundation

/// What a command that writes files says at its end to somebody who looks on.
enum Notice {
    /// Writes a line to standard error, if that is a terminal.
    static func write(_ text: String) {
        guard Terminal.isConnected(to: STDERR_FILENO) else { return }
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}
