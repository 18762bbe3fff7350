import Foundation
import HTTPArchive
import RelayCore
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cookies set by the responses of one interceptor.
///
/// A session that uses `HTTPCookieStorage.shared` stores the cookies of replayed and recorded responses in this jar
/// instead, so they do not affect other tests or later requests to real servers. A session with another storage uses
/// that storage for all responses.
final class CookieJar: Sendable {
    /// The in-memory storage, created when the first cookie is stored.
    private let storage = Mutex<HTTPCookieStorage?>(nil)

    /// Stores the cookies of a response, as a session does for a live response.
    ///
    /// - Parameters:
    ///   - response: The response, which can be a redirect.
    ///   - url: The URL of the response's request.
    ///   - request: The task's request.
    ///   - configuration: The settings of the task's session.
    func store(
        _ response: InterceptedResponse, from url: URL, requestedBy request: URLRequest,
        in configuration: URLSessionConfiguration
    ) {
        guard response.headers.contains(where: { $0.name.lowercased() == "set-cookie" }) else { return }
        let storage = configuration.sharesCookies ? makeStorage() : configuration.httpCookieStorage
        configuration.storeCookies(of: response, from: url, requestedBy: request, in: storage)
    }

    /// Adds cookies from this jar to a request, as a session adds cookies from its storage.
    ///
    /// - Parameters:
    ///   - request: The request, with the cookies of the session's storage.
    ///   - configuration: The settings of the session.
    /// - Returns: The request with the cookies, or nil if there are no cookies to add.
    func adding(
        to request: URLRequest, in configuration: @autoclosure () -> URLSessionConfiguration
    ) -> URLRequest? {
        guard let storage = storage.withLock({ $0 }), request.httpShouldHandleCookies, let url = request.url,
            let own = storage.cookies(for: url), !own.isEmpty
        else { return nil }
        let configuration = configuration()
        guard configuration.sharesCookies, configuration.httpShouldSetCookies else { return nil }
        // A cookie in the jar replaces a shared cookie with the same name, but not a cookie that the program set in the
        // request.
        let shared = Set((configuration.httpCookieStorage?.cookies(for: url) ?? []).map(\.name))
        let names = Set(own.map(\.name))
        let parts = CookieText.parts(of: (request.value(forHTTPHeaderField: "Cookie") ?? "").utf8)
        let written = parts.compactMap { part -> (name: String, text: String)? in
            let text = Substring(part).trimming(.whitespaces)
            let pair = CookieText(text)
            let name = String(Substring(pair.name ?? pair.value))
            return text.isEmpty || names.contains(name) && shared.contains(name) ? nil : (name, text)
        }
        let taken = Set(written.map(\.name))
        let added = own.filter { !taken.contains($0.name) }.map { "\($0.name)=\($0.value)" }
        guard !added.isEmpty else { return nil }
        var request = request
        request.setValue((written.map(\.text) + added).joined(separator: "; "), forHTTPHeaderField: "Cookie")
        return request
    }

    private func makeStorage() -> HTTPCookieStorage? {
        storage.withLock { storage in
            if storage == nil { storage = URLSessionConfiguration.ephemeral.httpCookieStorage }
            return storage
        }
    }
}

extension Interceptor {
    /// The cookies of replayed and recorded responses, for sessions that would store them in `HTTPCookieStorage.shared`.
    var cookies: CookieJar { adapterValue { CookieJar() } }
}

extension URLSessionConfiguration {
    /// Whether cookies are stored in the storage shared by all sessions.
    var sharesCookies: Bool { httpCookieStorage === HTTPCookieStorage.shared }

    /// Stores the cookies of a response.
    ///
    /// Each `Set-Cookie` field is parsed separately, because the date in a cookie contains a comma.
    /// `httpShouldSetCookies` is ignored, because it applies only to sent cookies.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - url: The URL of the response's request.
    ///   - request: The task's request.
    ///   - storage: The storage for the cookies.
    func storeCookies(
        of response: InterceptedResponse, from url: URL, requestedBy request: URLRequest,
        in storage: HTTPCookieStorage?
    ) {
        guard request.httpShouldHandleCookies, accepts(url, in: request), let storage else { return }
        for value in response.headers.values(named: "set-cookie") {
            let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
            storage.setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
        }
    }

    private func accepts(_ url: URL, in request: URLRequest) -> Bool {
        switch httpCookieAcceptPolicy {
        case .never:
            return false
        case .onlyFromMainDocumentDomain:
            guard let main = request.mainDocumentURL?.host()?.lowercased(), let host = url.host()?.lowercased() else {
                return true
            }
            return host == main || host.hasSuffix("." + main)
        default:
            return true
        }
    }
}
