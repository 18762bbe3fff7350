import Relay

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A request made by the client or stored in a track.
public typealias Request = URLRequest

/// A type that decides whether a track matches a request.
public protocol RequestMatcher {
    /// Returns whether the track with the request `rhs` can be played for the request `lhs`.
    func match(lhs: Request, rhs: Request) -> Bool
}

/// An attribute that a track must have in common with a request.
public enum RequestMatcherType {
    /// The method, ignoring case.
    case method

    /// The URL, compared in normalized form. The order of query items is ignored.
    case url

    /// The host, ignoring case.
    case host

    /// The path as returned by `URL.path`, percent-decoded and without a trailing slash. An empty path equals `/`.
    case path

    /// The query items, in any order.
    case query

    /// All header fields, ignoring the case of names and values.
    case headers

    /// The body, compared according to its `Content-Type`.
    case body

    /// A custom matcher.
    case custom(any RequestMatcher)
}

/// A list of attributes that two requests must have in common.
public struct RequestMatcherRegistry {
    private let matching: RequestMatching

    /// Creates a registry of attributes.
    ///
    /// An empty list matches all requests.
    public init(types: [RequestMatcherType]) { matching = RequestMatching(requiring: types) }

    /// Returns whether a track with the request `anotherRequest` can be played for `request`.
    public func matchableRequests(request: Request, with anotherRequest: Request) -> Bool {
        let requested = InterceptedRequest(request, body: request.httpBody)
        let recorded = InterceptedRequest(anotherRequest, body: anotherRequest.httpBody)
        return matching.required.allSatisfy { $0.verdict(requested: requested, recorded: recorded).isMatch }
    }
}

extension RequestMatching {
    /// Creates the matching that is equivalent to a list of attributes.
    init(requiring types: [RequestMatcherType], repetition: Repetition = .first) {
        self.init(required: [], repetition: repetition)
        for type in types { require(type) }
    }

    private mutating func require(_ type: RequestMatcherType) {
        switch type {
        case .method: required.append(.method)
        case .url: required.append(.url)
        case .host: required.append(.host)
        case .path: requirePath()
        case .query: required.append(.query)
        case .headers: required.append(.headers(ignoring: [], ignoringCase: true))
        case .body: required.append(.body)
        case .custom(let matcher):
            // As in the original Vinyl library, custom matchers can be called on any thread. Their authors must ensure
            // that this is safe.
            nonisolated(unsafe) let matcher = matcher
            required.append(
                .custom("custom") { requested, recorded in
                    guard let lhs = Request(requested), var rhs = Request(recorded) else { return .mismatch("url") }
                    if rhs.httpBody?.isEmpty == true { rhs.httpBody = nil }
                    return matcher.match(lhs: lhs, rhs: rhs) ? .match : .mismatch("custom matcher")
                })
        }
    }

    /// Requires that `URL.path` returns equal paths.
    private mutating func requirePath() {
        let exact = RequestMatching(required: [.path]).required
        required.append(
            .custom("path") { requested, recorded in
                guard Self.path(of: requested.url) != Self.path(of: recorded.url) else { return .match }
                // The exact comparison describes the difference, unless the paths differ only in an escaped slash.
                let verdict = exact.first?.verdict(requested: requested, recorded: recorded)
                return verdict.flatMap { $0.isMatch ? nil : $0 } ?? .mismatch("path")
            })
    }

    private static func path(of url: String) -> String {
        let path = URL(text: url)?.path ?? url
        return path.isEmpty ? "/" : path
    }
}
