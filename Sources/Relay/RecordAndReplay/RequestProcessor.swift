import RelayCore
import RelayURLSession
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Answers requests; of several as an array the first alone does.
public protocol RequestProcessor {
    /// Answers a request.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: What the request ends with. It is called on any thread, for several requests at a time.
    func process(request: URLRequest) async throws -> NetworkResponse
}

extension Array: RequestProcessor where Element == any RequestProcessor {
    /// What the first processor answers.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: What that one throws; ``RecordingAndReplayingRequestProcessorError/missingStrategy`` where there is none.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let first else { throw RecordingAndReplayingRequestProcessorError.missingStrategy }
        return try await first.process(request: request)
    }
}
