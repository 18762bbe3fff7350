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
