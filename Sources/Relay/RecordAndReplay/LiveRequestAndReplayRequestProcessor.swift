#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request processor that sends requests to the network.
///
/// If an interception uses this processor, requests keep the settings of the session that they were created in.
public final class LiveRequestAndReplayRequestProcessor: RequestProcessor, Sendable {
    private let sessions = ProcessingSessions()

    /// Creates a processor.
    public init() {}

    /// Sends a request to the network, bypassing every interceptor.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response.
    /// - Throws: Any network error, or ``LiveRequestAndReplayRequestProcessorError`` if the request has no URL.
    public func process(request: URLRequest) async throws -> NetworkResponse {
        guard request.url != nil else { throw LiveRequestAndReplayRequestProcessorError.invalidUrlInRequest(request) }
        let session = sessions.take { ProcessingSession() }
        let response = try await NetworkResponse(to: request, from: session.session)
        sessions.giveBack(session)
        return response
    }
}
