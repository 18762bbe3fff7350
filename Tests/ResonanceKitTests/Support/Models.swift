import Foundation

/// A model of one number.
struct Value: Codable, Equatable {
    var value: Int
}

/// A model that everything is.
struct Nothing: Decodable {}

/// What failures say.
struct Failure: Decodable, CustomStringConvertible {
    let reason: String

    var description: String { "because \(reason)" }
}

/// Runs code where it may block, on a thread of its own.
func blocking<Result: Sendable>(_ work: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            do { continuation.resume(returning: try work()) } catch { continuation.resume(throwing: error) }
        }
    }
}
