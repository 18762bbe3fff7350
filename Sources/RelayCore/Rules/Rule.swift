import Foundation
import HTTPArchive
import Synchronization

/// A rule that determines how matching requests are handled.
///
/// Rules can be added to and removed from an ``Interceptor`` at any time, even while requests are running. The last
/// matching rule selects the source of the response. Requests that match no rule are answered from the archives. All
/// matching overrides also apply, in the order in which they were added.
public struct Rule: Sendable, Identifiable {
    /// The identity of a rule, shared by all of its copies.
    public struct ID: Hashable, Sendable {
        private static let last = Atomic(0)

        private let number: Int

        /// Creates an identity that is unique within the process.
        init() { number = Self.last.add(1, ordering: .relaxed).newValue }
    }

    /// The source of a response.
    enum Origin: Sendable {
        case stub(TaskContext, @Sendable (InterceptedRequest) async throws -> Reply)

        /// A response, or a sequence of responses. The closure returns the next one immediately.
        case reply(@Sendable () -> Reply)

        case archive
        case mode(ReplayMode)

        /// The network, optionally with a route to another URL and a receiver of the exchange.
        case network(Route?, ExchangeReceiver?)

        case nothing
    }

    /// The effect of a rule on a request.
    enum Effect: Sendable {
        case origin(Origin)
        case overrides([ResponseOverride.Applied])
    }

    /// The identity of the rule.
    public let id = ID()

    /// The requests that the rule applies to.
    public let pattern: RequestPattern

    /// The maximum number of requests that the rule affects, or nil for any number.
    let limit: Int?

    /// Returns whether the rule applies to a request.
    ///
    /// - Throws: `invalidRule` if the pattern takes too much work for the request, or a regular expression more than the
    ///   processor time in nanoseconds.
    func affects(_ request: InterceptedRequest, within limit: UInt64 = .max) throws(RelayError) -> Bool {
        do {
            return try pattern.isMatch(request, within: limit)
        } catch {
            let message = (error as? HARError)?.message ?? ""
            let subject = "The rule for \(MessageText.text(pattern.description)) cannot be applied to \(request.method)"
            throw RelayError(.invalidRule, "\(subject) \(MessageText.url(request.url)). \(message)", underlying: error)
        }
    }

    /// A closure that creates the effect, with separate state for each interceptor.
    let makeEffect: @Sendable () -> Effect

    init(_ pattern: RequestPattern, limit: Int? = nil, _ makeEffect: @escaping @Sendable () -> Effect) {
        self.pattern = pattern
        self.limit = limit
        self.makeEffect = makeEffect
    }
}

extension Rule {
    /// Returns a copy of this rule that affects only the first matching requests.
    ///
    /// Later requests are handled as if the copy did not exist: by earlier rules, or by the archives. For example, this
    /// stub makes the first request fail, and the second one is answered from the archive:
    ///
    /// ```swift
    /// interceptor.add(.stub("api.example.com/items", .status(503)).times(1))
    /// ```
    ///
    /// - Parameter count: The number of requests. Each interceptor counts separately. If the number is less
    ///   than 1, the rule affects no requests.
    /// - Returns: The copy, with a new identity.
    public func times(_ count: Int) -> Rule { Rule(pattern, limit: max(0, count), makeEffect) }
}

extension Rule {
    /// Returns a rule that responds to requests with a stub.
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - reply: The response or error.
    /// - Returns: The rule.
    public static func stub(_ pattern: RequestPattern, _ reply: Reply) -> Rule {
        Rule(pattern) { .origin(.reply { reply }) }
    }

    /// Returns a rule that responds to requests with a sequence of stubs and repeats the last one.
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - first: The response or error for the first request.
    ///   - next: The responses or errors for subsequent requests, in order.
    /// - Returns: The rule.
    public static func stub(_ pattern: RequestPattern, inOrder first: Reply, _ next: Reply...) -> Rule {
        stub(pattern, inOrder: [first] + next)
    }

    /// Returns a rule that responds to requests with a sequence of stubs and repeats the last one.
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - responses: The responses or errors, in order; at least one.
    /// - Returns: The rule.
    package static func stub(_ pattern: RequestPattern, inOrder responses: [Reply]) -> Rule {
        Rule(pattern) {
            let count = Atomic(0)
            return .origin(
                .reply { responses[min(count.add(1, ordering: .relaxed).oldValue, responses.count - 1)] })
        }
    }

    /// Returns a rule that responds to requests with a closure.
    ///
    /// The closure must return within ``Interceptor/Configuration/timeLimit``. It runs in a task that inherits the
    /// task-local values of the code that added the rule, so failed expectations in the closure are attributed to the
    /// test that added the rule. Requests made by the closure are not intercepted by any scope.
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - answer: A closure that returns the response. If it throws, the request fails with that error. It can be
    ///     called concurrently.
    /// - Returns: The rule.
    public static func stub(
        _ pattern: RequestPattern, _ answer: @escaping @Sendable (InterceptedRequest) async throws -> Reply
    ) -> Rule {
        Rule(pattern) { .origin(.stub(TaskContext(), answer)) }
    }

    /// Returns a rule that responds to requests from the archives and takes precedence over earlier rules.
    ///
    /// - Parameter pattern: The requests that the rule applies to.
    /// - Returns: The rule.
    public static func replay(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.archive) } }

    /// Returns a rule that replays or records requests in a given mode, regardless of the interceptor's mode.
    ///
    /// ```swift
    /// interceptor.add(.record("api.example.com/prices/**", .all), .record("api.example.com/**", .new))
    /// ```
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - mode: The mode, which selects the source of responses and the exchanges to record. ``ReplayMode/all`` (the
    ///     default) replaces the archive entries that match the pattern. If the interceptor has no archive to record
    ///     into, requests that would be recorded fail.
    /// - Returns: The rule.
    public static func record(_ pattern: RequestPattern, _ mode: ReplayMode = .all) -> Rule {
        Rule(pattern) { .origin(.mode(mode)) }
    }

    /// Returns a rule that sends requests to the network.
    ///
    /// The requests use the settings of their session (except its cache on Linux) and bypass every interceptor.
    ///
    /// - Parameter pattern: The requests that the rule applies to.
    /// - Returns: The rule.
    public static func passThrough(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.network(nil, nil)) } }

    /// Returns a rule that sends requests to another endpoint, such as a development server.
    ///
    /// ```swift
    /// interceptor.add(try .reroute("https://yourserver.com/foo", to: "http://127.0.0.1:8000/foo"))
    /// ```
    ///
    /// To callers, the response appears to come from the original URL.
    ///
    /// - Parameters:
    ///   - origin: The URL prefix to replace, in the form `[scheme://]host[:port][/path]`. It matches only whole path
    ///     segments.
    ///   - target: The new prefix in the same form. If it has no scheme, the request's scheme is kept.
    /// - Returns: The rule.
    /// - Throws: `invalidRule` if either prefix is invalid.
    public static func reroute(_ origin: String, to target: String) throws(RelayError) -> Rule {
        let route = try Route(from: origin, to: target)
        let host = route.origin
        let pattern = RequestPattern("route \(route)", namesHost: { named, _ in named == host }) {
            route.rerouted($0.url) != nil
        }
        return Rule(pattern) { .origin(.network(route, nil)) }
    }

    /// Returns a rule that sends requests to the network and also passes each exchange to a closure.
    ///
    /// - Parameters:
    ///   - pattern: The requests that the rule applies to.
    ///   - tell: A closure that receives each request as it was sent, including redirected requests, and the complete
    ///     response or the error.
    /// - Returns: The rule.
    package static func passThrough(
        _ pattern: RequestPattern,
        telling tell: @escaping @Sendable (InterceptedRequest, Result<InterceptedResponse, any Error>) -> Void
    ) -> Rule {
        let queue = BackgroundQueue(label: "Rule.passThrough")
        let receiver = ExchangeReceiver(queue: queue) { exchange, _, _ in
            guard let head = exchange.head, exchange.error == nil else {
                tell(exchange.request, .failure(exchange.error ?? URLError(.badServerResponse)))
                return true
            }
            let response = InterceptedResponse(
                url: exchange.request.url, status: head.status, statusText: head.statusText,
                httpVersion: exchange.wire.httpVersion ?? "", headers: head.headers, body: exchange.body.data)
            tell(exchange.request, .success(response))
            return true
        }
        return Rule(pattern) { .origin(.network(nil, receiver)) }
    }

    /// Returns a rule that makes requests fail as if no archive entry matched.
    ///
    /// - Parameter pattern: The requests that the rule applies to.
    /// - Returns: The rule.
    public static func fail(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.nothing) } }

    /// Returns a rule that changes responses from any source before they are delivered.
    ///
    /// - Parameters:
    ///   - pattern: The requests whose responses are changed; all requests by default.
    ///   - overrides: The overrides to apply, in order.
    /// - Returns: The rule.
    public static func override(_ pattern: RequestPattern = .any, _ overrides: ResponseOverride...) -> Rule {
        override(pattern, overrides)
    }

    /// Returns a rule that changes responses from any source before they are delivered.
    ///
    /// - Parameters:
    ///   - pattern: The requests whose responses are changed.
    ///   - overrides: The overrides to apply, in order.
    /// - Returns: The rule.
    package static func override(_ pattern: RequestPattern, _ overrides: [ResponseOverride]) -> Rule {
        Rule(pattern) { .overrides(overrides.map { $0.applied() }) }
    }
}
