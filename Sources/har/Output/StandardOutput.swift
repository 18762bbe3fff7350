import Foundation
import HTTPArchive

/// Standard output; a pipe gets large pieces, a terminal each line at once.
final class StandardOutput {
    private static let bufferSize = 1 << 16

    private let handle = FileHandle.standardOutput
    private var buffer = Data()

    /// Whether somebody looks on.
    let isTerminal = Terminal.isConnected(to: STDOUT_FILENO)

    /// What stands on the terminal meanwhile, and makes room for each line.
    var progress: ReadingProgress?

    /// Writes bytes as they are.
    func write(_ data: Data) throws(HARError) {
        if isTerminal { progress?.clear() }
        buffer.append(data)
        if isTerminal || buffer.count >= Self.bufferSize { try flush() }
    }

    /// Writes text and ends the line.
    func line(_ text: String = "") throws(HARError) { try write(Data("\(text)\n".utf8)) }

    /// Writes what is held back; call it last.
    func flush() throws(HARError) {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            throw HARError(
                .unwritableFile, "It cannot be written. \(error.localizedDescription)",
                at: .init(file: "standard output"), underlying: error)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
