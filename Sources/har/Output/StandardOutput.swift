import Foundation
import HTTPArchive

/// Standard output; a pipe gets large pieces, a terminal each line at once.
final class StandardOutput {
    private static let bufferSize = 1 << 16

    private let handle = FileHandle.standardOutput
    private var buffer: [UInt8] = []

    /// Whether somebody looks on.
    let isTerminal = Terminal.isConnected(to: STDOUT_FILENO)

    /// What stands on the terminal meanwhile, and makes room for each line.
    var progress: ReadingProgress?

    /// Writes bytes as they are.
    func write(_ bytes: some Collection<UInt8>) throws(HARError) {
        if isTerminal { progress?.clear() }
        buffer.append(contentsOf: bytes)
        if isTerminal || buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes text and ends the line.
    func line(_ text: String = "") throws(HARError) {
        buffer.append(contentsOf: text.utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes what is held back; call it last.
    func flush() throws(HARError) {
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            throw HARError(
                .unwritableFile, "It cannot be written. \(error.localizedDescription)",
                at: .init(file: "standard output"), underlying: error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

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
