import Foundation

/// What a task found out, written as one line of JSON.
struct Measurement: Encodable {
    /// The time of the task, the start of the process and its preparations excluded.
    var seconds = 0.0

    var entries: Int?

    /// The size of all texts that were made, in bytes of UTF-8.
    var text: Int?

    /// The time of the same with nothing of Relay in it.
    var bareSeconds: Double?

    /// The resident memory that the task added and kept, in bytes.
    var kept: Int?

    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(self) + Data("\n".utf8))
    }
}

/// The time that work takes, in seconds.
func seconds<Failure: Error>(_ work: () throws(Failure) -> Void) throws(Failure) -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try work()
    return (clock.now - start) / .seconds(1)
}

/// The time that asynchronous work takes, in seconds.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try await work()
    return (clock.now - start) / .seconds(1)
}

/// The memory that is resident now, in bytes; `nil` where the system has no `/proc`.
func residentMemory() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    return text.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 * 4096 }
}
