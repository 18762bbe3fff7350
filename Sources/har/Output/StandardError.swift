import Foundation
import HTTPArchive

/// Messages on standard error.
enum StandardError {
    /// Writes a line.
    static func line(_ text: some StringProtocol) {
        FileHandle.standardError.write(Data("\(text.withoutControls)\n".utf8))
    }

    /// Writes a line if standard error is a terminal: the summary of a command that writes files.
    static func notice(_ text: String) {
        if Terminal.isConnected(to: STDERR_FILENO) { line(text) }
    }

    /// Writes an error.
    static func error(_ error: HARError) { line("har: error: \(error)") }
}

extension Error {
    /// The reason of a failed file operation in the system's words, such as `No such file or directory`.
    var fileErrorReason: String {
        let error = self as NSError
        let cause = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError } ?? error
        return cause.domain == NSPOSIXErrorDomain
            ? String(cString: strerror(Int32(cause.code))) : error.localizedDescription
    }
}
