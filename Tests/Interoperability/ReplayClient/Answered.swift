import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The result of a request: a response or an error.
struct Answered: Encodable {
    let url: String
    var status: Int?
    var body: Data?
    var finalURL: String?
    var error: String?

    /// Performs a request.
    ///
    /// - Parameters:
    ///   - asked: The request.
    ///   - session: The session that performs the request.
    ///   - isLive: Whether requests reach the site, and can be canceled after their arrival.
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

    /// Waits until the site has received the request, whose response never completes.
    private static func waitForArrival(of request: URLRequest) async throws {
        guard let arrival = request.url.flatMap({ URL(string: "/slow/arrived", relativeTo: $0) }) else { return }
        _ = try await URLSession(configuration: .ephemeral).data(from: arrival)
    }
}
