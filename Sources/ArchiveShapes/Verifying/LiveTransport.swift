import Foundation
import HTTPArchive

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with URLSession.
package struct LiveTransport: Sendable {
    private let session: URLSession

    /// Creates a transport.
    ///
    /// - Parameter timeout: The maximum time until a response is complete, in seconds.
    package init(timeout: Double) {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = timeout
        configuration.timeoutIntervalForResource = timeout
        session = URLSession(configuration: configuration, delegate: RedirectRefusal(), delegateQueue: nil)
    }

    /// Sends a request, and returns the response with its content codings removed.
    ///
    /// Redirects are not followed.
    package func send(_ request: OutgoingRequest) async -> Result<LiveResponse, LiveFailure> {
        guard let url = URL(string: request.url) else { return .failure(.failed("malformed URL")) }
        var message = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        message.httpMethod = request.method
        message.httpShouldHandleCookies = false
        for (name, value) in request.headers { message.addValue(value, forHTTPHeaderField: name) }
        message.httpBody = request.body
        let start = Date()
        let clock = ContinuousClock()
        let begin = clock.now
        do {
            let (body, received) = try await session.data(for: message)
            guard let response = received as? HTTPURLResponse else { return .failure(.failed("no HTTP response")) }
            let duration = (clock.now - begin) / .milliseconds(1)
            let recorded = HAR.Response(response, body: body)
            return .success(LiveResponse(response: recorded, start: start, duration: duration))
        } catch let error as URLError {
            return .failure(Self.failure(of: error))
        } catch {
            return .failure(.failed("\(type(of: error))"))
        }
    }

    private static func failure(of error: URLError) -> LiveFailure {
        switch error.code {
        case .timedOut: .timedOut
        case .cannotConnectToHost: .unreachable("the connection is refused")
        case .cannotFindHost, .dnsLookupFailed: .unreachable("the host is unknown")
        case .notConnectedToInternet: .unreachable("no network connection")
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
            .serverCertificateHasBadDate, .serverCertificateNotYetValid:
            .unreachable("the certificate is not trusted")
        default: .failed(MessageRedactor.standard.text(error.localizedDescription))
        }
    }
}

/// A delegate that refuses redirects, so that each redirect is a response.
private final class RedirectRefusal: NSObject, URLSessionTaskDelegate, Sendable {
    func urlSession(
        _: URLSession, task _: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse,
        newRequest _: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension HAR.Response {
    /// Creates a response from one that URLSession received.
    fileprivate init(_ response: HTTPURLResponse, body: Data) {
        var headers: [HAR.Header] = []
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            headers.append(HAR.Header(name: name, value: value))
        }
        headers.sort { $0.name.lowercased() < $1.name.lowercased() }
        let type = response.value(forHTTPHeaderField: "Content-Type") ?? ""
        let content = HAR.Content(size: body.count, mimeType: type)
        self.init(status: response.statusCode, headers: headers, content: content, bodySize: body.count)
        embed(body)
    }
}
