import Foundation

/// Runs `body` on a thread with a stack of 64 MiB, for deeply nested values in debug builds.
func onLargeStack(_ body: @escaping @Sendable () throws -> Void) throws {
    let outcome = Outcome()
    let thread = Thread { outcome.set(Result { try body() }) }
    thread.stackSize = 64 << 20
    thread.start()
    try outcome.wait().get()
}

/// The result of a thread.
private final class Outcome: @unchecked Sendable {
    // Guarded by the condition.
    private var result: Result<Void, any Error>?
    private let condition = NSCondition()

    func set(_ result: Result<Void, any Error>) {
        condition.withLock {
            self.result = result
            condition.signal()
        }
    }

    func wait() -> Result<Void, any Error> {
        condition.withLock {
            while true {
                if let result { return result }
                condition.wait()
            }
        }
    }
}
