import Foundation
import HTTPArchive

/// Standard output, buffered in chunks for a pipe and line by line for a terminal.
final class StandardOutput {
    private static let bufferSize = 1 << 16

    private let handle = FileHandle.standardOutput
    private var buffer: [UInt8] = []

    /// Whether standard output is a terminal.
    let isTerminal = Terminal.isConnected(to: STDOUT_FILENO)

    /// The progress bar that is cleared before each line on a terminal.
    var progress: ReadingProgress?

    /// Writes bytes, which may control a terminal.
    func write(_ bytes: some Collection<UInt8>) throws(HARError) {
        if isTerminal { progress?.clear() }
        buffer.append(contentsOf: bytes)
        if isTerminal || buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes a JSON text, on a terminal with its control characters escaped.
    func write(json: Data) throws(HARError) {
        try write(isTerminal ? Data(String(decoding: json, as: UTF8.self).escapingControls.utf8) : json)
    }

    /// Writes text without control characters, and a line break.
    func line(_ text: String = "") throws(HARError) {
        buffer.append(contentsOf: text.withoutControls.utf8)
        try write(CollectionOfOne(UInt8(ascii: "\n")))
    }

    /// Writes the buffer.
    ///
    /// Call it at the end.
    func flush() throws(HARError) {
        do {
            try handle.write(contentsOf: Data(buffer))
        } catch {
            throw HARError(
                .unwritableFile, "cannot write: \(error.fileErrorReason)",
                at: .init(file: "standard output"), underlying: error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}

/// Facts about the terminal that the process is connected to.
enum Terminal {
    /// Whether a file descriptor is a terminal.
    static func isConnected(to descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The number of columns of the terminal, or `nil` if standard output is not a terminal.
    static var width: Int? {
        var size = winsize()
        guard isConnected(to: STDOUT_FILENO), ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0
        else { return nil }
        return Int(size.ws_col)
    }
}
