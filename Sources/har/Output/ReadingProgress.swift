import Foundation
import HTTPArchive

/// A bar on standard error that says how much of an archive was read; only on a terminal, and after a second.
final class ReadingProgress {
    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    private let byteCount: Int?
    private let bytesRead: () -> Int
    private let isEnabled: Bool
    private var next = ContinuousClock.now + patience
    private var isShown = false

    /// Prepares a bar.
    ///
    /// - Parameters:
    ///   - byteCount: How much there is to read; `nil` when that is unknown.
    ///   - isQuiet: Whether it stays away even from a terminal, as where lines fill it anyway.
    ///   - bytesRead: Tells how much was read.
    init(of byteCount: Int?, isQuiet: Bool = false, bytesRead: @escaping () -> Int) {
        self.byteCount = byteCount
        self.bytesRead = bytesRead
        isEnabled = !isQuiet && Terminal.isConnected(to: STDERR_FILENO)
    }

    /// Prepares a bar for what reads an archive.
    convenience init(of reader: HARReader, isQuiet: Bool = false) {
        self.init(of: reader.byteCount, isQuiet: isQuiet) { reader.bytesRead }
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
        let read = bytesRead()
        guard let count = byteCount, count > 0 else { return "\(read.asBytes) read" }
        let share = min(1, Double(read) / Double(count))
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
        return "[\(bar)] \(Int(share * 100)) % of \(count.asBytes)"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
