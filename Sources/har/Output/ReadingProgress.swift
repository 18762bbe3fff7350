import Foundation
import HTTPArchive
import Synchronization

/// A progress bar on standard error, shown on a terminal after one second.
final class ReadingProgress: Sendable {
    private struct State {
        var next: ContinuousClock.Instant
        var isShown = false
    }

    private static let delay = Duration.seconds(1)
    private static let interval = Duration.milliseconds(100)
    private static let width = 30

    private let byteCount: Int?
    private let isEnabled: Bool
    private let now: @Sendable () -> ContinuousClock.Instant
    private let write: @Sendable (String) -> Void
    private let state: Mutex<State>

    /// Creates a progress bar.
    ///
    /// - Parameters:
    ///   - byteCount: The number of bytes to read, or `nil` if unknown.
    ///   - isQuiet: Whether to hide the bar even on a terminal, because other output goes there; `false` by default.
    convenience init(of byteCount: Int?, isQuiet: Bool = false) {
        self.init(
            of: byteCount, isEnabled: !isQuiet && Terminal.hasControls(STDERR_FILENO), now: { .now },
            write: StandardStreams.writeToStandardError)
    }

    /// Creates a progress bar with its own clock and output, for tests.
    init(
        of byteCount: Int?, isEnabled: Bool, now: @escaping @Sendable () -> ContinuousClock.Instant,
        write: @escaping @Sendable (String) -> Void
    ) {
        self.byteCount = byteCount
        self.isEnabled = isEnabled
        self.now = now
        self.write = write
        state = Mutex(State(next: now() + Self.delay))
    }

    /// Updates the bar.
    ///
    /// Call this at least once per entry.
    ///
    /// - Parameter bytesRead: The number of bytes read so far. Threads can report it in any order.
    func update(_ bytesRead: @autoclosure () -> Int) {
        guard isEnabled else { return }
        state.withLock { state in
            guard now() >= state.next else { return }
            state.next = now() + Self.interval
            state.isShown = true
            write("\r" + text(bytesRead()) + "\u{1B}[K")
        }
    }

    /// Clears the bar, so that other text can be written to the terminal.
    func clear() {
        state.withLock { state in
            if state.isShown { write("\r\u{1B}[K") }
            state.isShown = false
        }
    }

    private func text(_ read: Int) -> String {
        guard let count = byteCount, count > 0 else { return "\(read.asBytes) read" }
        let share = min(1, Double(read) / Double(count))
        let filled = Int(clamping: share * Double(Self.width))
        let bar = String(repeating: "=", count: filled) + String(repeating: " ", count: Self.width - filled)
        return "[\(bar)] \(Int(clamping: share * 100))% of \(count.asBytes)"
    }
}
