import Foundation
import ResonanceKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A session that logs requests and returns the same response to each of them.
struct NotingSession: NetworkSession {
    let log = Log<URLRequest>()
    var status = 200
    var body = "{}"

    var requests: [URLRequest] { log.events }

    func loadData(request: URLRequest) throws -> CoFuture<(data: Data, response: URLResponse)> {
        log.append(request)
        let promise = CoPromise<(data: Data, response: URLResponse)>()
        if let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        {
            promise.success((Data(body.utf8), response))
        } else {
            promise.fail(URLError(.badURL))
        }
        return promise
    }
}

extension JSONSession {
    /// Creates a session that sends its requests through another network session.
    convenience init(_ session: any NetworkSession, baseURL: String = "https://mocktest.com") {
        self.init(baseURL: baseURL)
        urlSession = session
    }
}
