import Synchronization
import Testing

@testable import har

@Suite(.limited) struct ReadingProgressTests {
    /// A clock that a test advances, and the text that was written.
    private final class Terminal: Sendable {
        private let start = ContinuousClock.now
        let elapsed = Mutex(Duration.zero)
        let written = Mutex("")

        func bar(of byteCount: Int?, isEnabled: Bool = true) -> ReadingProgress {
            ReadingProgress(of: byteCount, isEnabled: isEnabled) { [self] in
                start + elapsed.withLock { $0 }
            } write: { [self] text in
                written.withLock { $0 += text }
            }
        }

        /// Reports progress after some milliseconds, and returns the new text.
        func report(_ bytesRead: Int, to bar: ReadingProgress, after milliseconds: Int) -> String {
            elapsed.withLock { $0 += .milliseconds(milliseconds) }
            bar.update(bytesRead)
            return take()
        }

        func take() -> String {
            written.withLock { text in
                defer { text = "" }
                return text
            }
        }
    }

    @Test func `the bar appears after a second, changes ten times a second, and is cleared`() {
        let terminal = Terminal()
        let bar = terminal.bar(of: 2_000_000)
        #expect(terminal.report(500_000, to: bar, after: 999) == "")
        #expect(
            terminal.report(1_000_000, to: bar, after: 1) == "\r[===============               ] 50% of 2.0 MB\u{1B}[K")
        #expect(terminal.report(1_100_000, to: bar, after: 99) == "")
        #expect(terminal.report(3_000_000, to: bar, after: 1).contains("] 100% of 2.0 MB"))
        bar.clear()
        #expect(terminal.take() == "\r\u{1B}[K")
        bar.clear()
        #expect(terminal.take() == "")
    }

    @Test func `the bar shows the number of bytes if the size is unknown, and nothing if it is disabled`() {
        let terminal = Terminal()
        #expect(terminal.report(1500, to: terminal.bar(of: nil), after: 0) == "")
        let unknown = terminal.bar(of: nil)
        #expect(terminal.report(1500, to: unknown, after: 1000) == "\r1.5 kB read\u{1B}[K")
        let disabled = terminal.bar(of: 10, isEnabled: false)
        #expect(terminal.report(5, to: disabled, after: 2000) == "")
        disabled.clear()
        #expect(terminal.take() == "")
    }
}
