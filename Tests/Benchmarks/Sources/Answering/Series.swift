import Foundation
import Measuring

/// Measurements by subject and condition, with a value for each round.
struct Series {
    private var values: [String: [String: [Double]]] = [:]

    mutating func add(_ value: Double, of subject: String, in column: String) {
        values[subject, default: [:]][column, default: []].append(value)
    }

    /// Runs work and adds the average time of one part, in seconds.
    ///
    /// - Parameters:
    ///   - subject: The subject of the measurement.
    ///   - column: The condition.
    ///   - count: The number of parts, such as requests.
    ///   - work: The work.
    mutating func time(
        _ subject: String, in column: String, count: Int, _ work: () async throws -> Void
    ) async rethrows {
        add(try await seconds(work) / Double(count), of: subject, in: column)
    }

    /// Writes all measurements as one line of JSON.
    func write() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try FileHandle.standardOutput.write(contentsOf: encoder.encode(values) + Data("\n".utf8))
    }
}
