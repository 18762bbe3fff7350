import Foundation

/// A model that contains one number.
struct Value: Codable, Equatable {
    var value: Int
}

/// A model that any JSON object can be decoded as.
struct Nothing: Decodable {}

/// The error model.
struct Failure: Decodable, CustomStringConvertible {
    let reason: String

    var description: String { "because \(reason)" }
}

/// Runs blocking code on its own thread.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            do { continuation.resume(returning: try work()) } catch { continuation.resume(throwing: error) }
        }
    }
}
