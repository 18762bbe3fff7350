import Foundation
import Measuring

/// What was measured, by what was done and under which condition: a value for each round.
struct Series {
    private var values: [String: [String: [Double]]] = [:]

    mutating func add(_ value: Double, of subject: String, in column: String) {
        values[subject, default: [:]][column, default: []].append(value)
    }

    /// Does work, and adds the time that each part of it took, in seconds.
    ///
    /// - Parameters:
    ///   - subject: What is done.
    ///   - column: Under which condition.
    ///   - count: The number of its parts, such as requests.
    ///   - work: The work.
    mutating func time(
        _ subject: String, in column: String, count: Int, _ work: () async throws -> Void
    ) async rethrows {
        add(try await seconds(work) / Double(count), of: subject, in: column)
    }

    /// Writes all as one line of JSON.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(values) + Data("\n".utf8))
    }
}
