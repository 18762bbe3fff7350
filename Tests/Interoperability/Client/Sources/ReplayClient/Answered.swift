import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What came of a request: an answer, or an error.
struct Answered: Encodable {
    let url: String
    var status: Int?
    var body: Data?
    var finalURL: String?
    var error: String?

    /// Performs a request, and takes what comes.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - session: What performs it.
    ///   - isLive: Whether a request that is to be given up gets that far.
    init(to asked: Asked, from session: URLSession, isLive: Bool) async {
        guard let request = asked.request else {
            url = asked.url
            error = "not a URL"
            return
        }
        url = request.url?.absoluteString ?? asked.url
        do {
            let task = Task { try await session.data(for: request) }
            if isLive, asked.abort != nil {
                try await Self.waitForArrival(of: request)
                task.cancel()
            }
            let (data, response) = try await task.value
            status = (response as? HTTPURLResponse)?.statusCode
            body = data
            finalURL = response.url?.absoluteString
        } catch {
            self.error = "\(error)"
        }
    }

    /// Returns when the site has a request that it does not answer to the end.
    private static func waitForArrival(of request: URLRequest) async throws {
        guard let arrival = request.url.flatMap({ URL(string: "/slow/arrived", relativeTo: $0) }) else { return }
        _ = try await URLSession(configuration: .ephemeral).data(from: arrival)
    }
}
