import Foundation

/// What a task found out, written as one line of JSON.
package struct Outcome: Encodable {
    /// The time of the task, the start of the process and its preparations excluded.
    package var seconds = 0.0

    package var entries: Int?

    /// The size of all texts that were made, in bytes of UTF-8.
    package var text: Int?

    /// The time of the same with nothing of Relay in it.
    package var bareSeconds: Double?

    /// The resident memory that the task added and kept, in bytes.
    package var kept: Int?

    package init(
        seconds: Double = 0, entries: Int? = nil, text: Int? = nil, bareSeconds: Double? = nil, kept: Int? = nil
    ) {
        self.seconds = seconds
        self.entries = entries
        self.text = text
        self.bareSeconds = bareSeconds
        self.kept = kept
    }

    package func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
    }
}

/// The time that work takes, in seconds.
package func seconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
}

/// The time that asynchronous work takes, in seconds.
package func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
}

/// The memory that is resident now, in bytes; `nil` where the system has no `/proc`.
package func residentMemory() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
