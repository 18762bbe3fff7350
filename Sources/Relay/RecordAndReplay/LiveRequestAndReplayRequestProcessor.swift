import RelayCore
import RelayURLSession
import Synchronization

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

/// A session that sends one request at a time to the network, so that requests do not share cookies.
struct ProcessingSession: Sendable {
    let interceptor: Interceptor
    let session: URLSession

    /// The archive that the interceptor records into, or nil if it does not record.
    let target: RequestArchive?

    /// Creates a session.
    ///
    /// - Parameter target: The archive that requests are recorded into; nil by default.
    init(recordingInto target: RequestArchive? = nil) {
        self.target = target
        interceptor =
            target.map { Interceptor(recordingRequestsInto: $0, configuration: .processing) }
            ?? Interceptor(name: "the network", configuration: .processing)
        session = interceptor.session()
    }

    fileprivate func removeCookies() {
        let storage = session.configuration.httpCookieStorage
        guard let storage, storage !== HTTPCookieStorage.shared else { return }
        for cookie in storage.cookies ?? [] { storage.deleteCookie(cookie) }
    }
}

/// The sessions of a request processor, one for each concurrent request.
final class ProcessingSessions: Sendable {
    /// The maximum number of idle sessions that are kept with their connections.
    private static let idleLimit = 16

    /// The archives that the sessions record into.
    let archives = OpenArchives()

    private let idle = Mutex<[ProcessingSession]>([])
    private let created = Atomic(0)

    /// The number of sessions that were created.
    var createdCount: Int { created.load(ordering: .relaxed) }

    /// Returns a session for exclusive use by one request.
    ///
    /// - Parameter make: A closure that creates a session, called if no session is idle.
    /// - Returns: The session, which must be passed to ``giveBack(_:)`` afterwards.
    func take(orMake make: () -> ProcessingSession) -> ProcessingSession {
        if let session = idle.withLock({ $0.popLast() }) { return session }
        created.add(1, ordering: .relaxed)
        return make()
    }

    /// Keeps a session for later requests.
    func giveBack(_ session: ProcessingSession) {
        session.removeCookies()
        idle.withLock { if $0.count < Self.idleLimit { $0.append(session) } }
    }
}
