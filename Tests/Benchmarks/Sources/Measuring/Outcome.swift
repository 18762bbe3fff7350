import Foundation

/// The measurements of a task, written as one line of JSON.
package struct Outcome: Encodable {
    /// The time of the task in seconds, excluding process startup and preparation.
    package var seconds = 0.0

    package var entries: Int?

    /// The total size of all decoded texts, in UTF-8 bytes.
    package var text: Int?

    /// The time of the same task without Relay, in seconds.
    package var bareSeconds: Double?

    /// The resident memory that the task allocated and kept, in bytes.
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

/// Measures the time of work, in seconds.
package func seconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
}

/// Measures the time of asynchronous work, in seconds.
package func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
}

/// Returns the current resident memory in bytes, or nil if the system has no `/proc`.
package func residentMemory() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
