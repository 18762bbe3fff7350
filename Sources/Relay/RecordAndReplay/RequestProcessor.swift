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
    /// This method can be called on any thread, and concurrently for several requests.
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
    /// - Throws: Any error from the processor, or ``RecordingAndReplayingRequestProcessorError/missingStrategy`` if the
    ///   array is empty.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard let first else { throw RecordingAndReplayingRequestProcessorError.missingStrategy }
        return try await first.process(request: request)
    }
}

/// A type that selects requests.
///
/// An array accepts the requests that all of its filters accept.
public protocol RequestFilter {
    /// Returns whether a request is processed. Other requests are sent to the network.
    ///
    /// - Parameter request: The request.
    /// - Returns: `true` to process the request. This method can be called on any thread, and several times per
    ///   request.
    func shouldProcess(request: URLRequest) -> Bool
}

extension Array: RequestFilter where Element == any RequestFilter {
    /// Returns whether all filters accept a request.
    public func shouldProcess(request: URLRequest) -> Bool { allSatisfy { $0.shouldProcess(request: request) } }
}

/// A type that changes responses before delivery.
///
/// An array applies its modifiers in order.
public protocol ResponseModifier {
    /// Returns a changed response.
    ///
    /// This method can be called on any thread, and concurrently for several responses.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response to deliver.
    /// - Throws: The error that the request fails with.
    func modify(response: NetworkResponse) async throws -> NetworkResponse
}

extension Array: ResponseModifier where Element == any ResponseModifier {
    /// Applies the modifiers in order.
    ///
    /// - Parameter response: The response.
    /// - Returns: The response of the last modifier.
    /// - Throws: Any error from a modifier.
    public func modify(response: NetworkResponse) async throws -> NetworkResponse {
        var response = response
        for modifier in self { response = try await modifier.modify(response: response) }
        return response
    }
}
