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
    init(to asked: Asked, from session: URLSession) async {
        url = asked.url
        guard let request = asked.request else {
            error = "not a URL"
            return
        }
        do {
            let (data, response) = try await session.data(for: request)
            status = (response as? HTTPURLResponse)?.statusCode
            body = data
            finalURL = response.url?.absoluteString
        } catch {
            self.error = "\(error)"
        }
    }
}
