import RelayCore
import RelayURLSession
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A type that responds to requests.
///
/// An array uses only its first processor.
public protocol RequestProcessor {
    /// Returns the response to a request.
    ///
    /// The method is called on any thread, concurrently for several requests.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The error that the request fails with.
    func process(request: URLRequest) async throws -> NetworkResponse
}

extension Array: RequestProcessor where Element == any RequestProcessor {
    /// Returns the response of the first processor.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The error of the processor, or ``RecordingAndReplayingRequestProcessorError/missingStrategy`` if the
    ///   array is empty.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let first else { throw RecordingAndReplayingRequestProcessorError.missingStrategy }
        return try await first.process(request: request)
    }
}
