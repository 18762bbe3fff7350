import Foundation
import Synchronization

/// Exits the process if a request runs for too long.
///
/// The watchdog uses a separate thread, because a deadlock can block all threads that run tasks.
final class Watchdog: Sendable {
    private static let limit = Duration.seconds(60)

    private let running = Mutex<[Int: ContinuousClock.Instant]>([:])

    init() {
        let thread = Thread { [self] in
            while true {
                Thread.sleep(forTimeInterval: 1)
                check()
            }
        }
        thread.start()
    }

    func begin(_ number: Int) { running.withLock { $0[number] = .now } }

    func end(_ number: Int) { running.withLock { $0[number] = nil } }

    private func check() {
        let hung = running.withLock { $0.filter { $0.value.duration(to: .now) > Self.limit }.keys.sorted() }
        guard !hung.isEmpty else { return }
        print("soak: hung: requests \(hung.map(String.init).joined(separator: ", "))")
        fflush(nil)
        exit(1)
    }
}
