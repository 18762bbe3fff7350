import Foundation
import HTTPArchive

/// A bar on standard error that says how much of an archive was read; only on a terminal, and after a second.
final class ReadingProgress {
    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    private let reader: HARReader
    private let isEnabled: Bool
    private var next = ContinuousClock.now + patience
    private var isShown = false

    /// Prepares a bar.
    ///
    /// - Parameters:
    ///   - reader: What reads the archive.
    ///   - isQuiet: Whether it stays away even from a terminal, as where lines fill it anyway.
    init(of reader: HARReader, isQuiet: Bool = false) {
        self.reader = reader
        isEnabled = !isQuiet && Terminal.isConnected(to: STDERR_FILENO)
    }

    /// Brings the bar up to date; call it for each entry.
    func update() {
        guard isEnabled, ContinuousClock.now >= next else { return }
        next = .now + Self.interval
        isShown = true
        write("\r" + text + "\u{1B}[K")
    }

    /// Takes the bar away, before something else is written to the terminal.
    func clear() {
        guard isShown else { return }
        isShown = false
        write("\r\u{1B}[K")
    }

    private var text: String {
        let read = reader.bytesRead
        guard let count = reader.byteCount, count > 0 else { return "\(read.asBytes) read" }
        let share = min(1, Double(read) / Double(count))
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
        return "[\(bar)] \(Int(share * 100)) % of \(count.asBytes)"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
