#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request processor that sends requests to the network.
///
/// In an interception, requests keep the settings of their session.
public final class LiveRequestAndReplayRequestProcessor: RequestProcessor, Sendable {
    private let sessions = ProcessingSessions()

    /// Creates a processor.
    public init() {}

    /// Sends a request to the network, bypassing every interceptor.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: The network error.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        let session = sessions.take { ProcessingSession() }
        let response = try await NetworkResponse(to: request, from: session.session)
        sessions.giveBack(session)
        return response
    }
}
