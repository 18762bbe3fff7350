import Foundation

/// Facts about what a stream of the process is connected to.
enum Terminal {
    /// Whether a stream is a terminal.
    ///
    /// - Parameter descriptor: `STDOUT_FILENO` or another.
    /// - Returns: Whether somebody looks on.
    static func isConnected(to descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The number of columns of the terminal that standard output is; `nil` when it is none.
    static var width: Int? {
        var size = winsize()
        guard isConnected(to: STDOUT_FILENO), ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }
}
