import RelayCore
import RelayURLSession
#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Answers requests from the network.
///
/// In an interception, requests keep the settings of their session on the way.
public final class LiveRequestAndReplayRequestProcessor: RequestProcessor, Sendable {
    /// Creates a processor.
    public init() {}

    /// Sends a request to the network, past every interceptor.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer.
    /// - Throws: The error of the network.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        let interceptor = Interceptor(name: "the network", configuration: .processing)
        return try await NetworkResponse(to: request, from: interceptor.session())
    }
}
