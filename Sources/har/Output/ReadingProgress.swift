import Foundation
import HTTPArchive
import Synchronization

/// A bar on standard error that says how much of an archive was read; only on a terminal, and after a second.
final class ReadingProgress: Sendable {
    private struct State {
        var next = ContinuousClock.now + patience
        var isShown = false
    }

    private static let patience = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    private let byteCount: Int?
    private let isEnabled: Bool
    private let state = Mutex(State())

    /// Prepares a bar.
    ///
    /// - Parameters:
    ///   - byteCount: How much there is to read; `nil` when that is unknown.
    ///   - isQuiet: Whether it stays away even from a terminal, as where lines fill it anyway.
    init(of byteCount: Int?, isQuiet: Bool = false) {
        self.byteCount = byteCount
        isEnabled = !isQuiet && Terminal.isConnected(to: STDERR_FILENO)
    }

    /// Brings the bar up to date; call it for each entry, or more often.
    ///
    /// - Parameter bytesRead: How much was read; from several threads, in any order.
    func update(_ bytesRead: @autoclosure () -> Int) {
        guard isEnabled else { return }
        state.withLock { state in
            guard ContinuousClock.now >= state.next else { return }
            state.next = .now + Self.interval
            state.isShown = true
            write("\r" + text(bytesRead()) + "\u{1B}[K")
        }
    }

    /// Takes the bar away, before something else is written to the terminal.
    func clear() {
        state.withLock { state in
            if state.isShown { write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    private func text(_ read: Int) -> String {
        guard let count = byteCount, count > 0 else { return "\(read.asBytes) read" }
        let share = min(1, Double(read) / Double(count))
        let filled = Int(share * Double(Self.width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
        return "[\(bar)] \(Int(share * 100)) % of \(count.asBytes)"
    }

    private func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }
}
