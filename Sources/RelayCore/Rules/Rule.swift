import Foundation
import HTTPArchive
import Synchronization

/// What becomes of the requests that fit a pattern.
///
/// Rules are added to an ``Interceptor`` and taken away at any time, also while requests run. The rule that was added
/// last, of those that fit, says where a request's answer comes from; the archives answer what no rule is for. Overrides
/// apply besides, all that fit, in the order in which they were added.
public struct Rule: Sendable, Identifiable {
    /// The identity of a rule: copies of a rule are the same rule.
    public struct ID: Hashable, Sendable {
        private static let last = Atomic(0)

        private let number: Int

        /// An identity that no other rule of this process has.
        init() { number = Self.last.add(1, ordering: .relaxed).newValue }
    }

    /// Where the answer to a request comes from.
    enum Origin: Sendable {
        case stub(TaskContext, @Sendable (InterceptedRequest) async throws -> Reply)
        case reply(Reply)

        /// One reply after another, all at hand; the rule's state is in the closure.
        case replies(@Sendable () -> Reply)

        case archive
        case mode(ReplayMode)
        case network
        case route(Route)

        /// The network, with what goes over it given to a closure.
        case record(Route?, ExchangeReceiver)

        case nothing
    }

    /// What a rule is for an interceptor.
    enum Effect: Sendable {
        case origin(Origin)
        case overrides([ResponseOverride.Applied])
    }

    /// The identity of the rule.
    public let id = ID()

    /// Which requests the rule is for.
    public let pattern: RequestPattern

    /// Makes the effect, with a state of its own for each interceptor.
    let makeEffect: @Sendable () -> Effect

    init(_ pattern: RequestPattern, _ makeEffect: @escaping @Sendable () -> Effect) {
        self.pattern = pattern
        self.makeEffect = makeEffect
    }
}

extension Rule {
    /// Requests get a reply made by code.
    ///
    /// - Parameters:
    ///   - pattern: Which requests.
    ///   - reply: What they get.
    /// - Returns: The rule.
    public static func stub(_ pattern: RequestPattern, _ reply: Reply) -> Rule {
        Rule(pattern) { .origin(.reply(reply)) }
    }

    /// Requests get one reply after another; the last one repeats.
    ///
    /// - Parameters:
    ///   - pattern: Which requests.
    ///   - first: What the first of them gets.
    ///   - next: What the next ones get, in this order.
    /// - Returns: The rule.
    public static func stub(_ pattern: RequestPattern, inOrder first: Reply, _ next: Reply...) -> Rule {
        let replies = [first] + next
        return Rule(pattern) {
            let count = RequestCount()
            return .origin(.replies { replies[min(count.next(), replies.count - 1)] })
        }
    }

    /// Requests get what a closure makes of them.
    ///
    /// The closure has the time that ``Interceptor/Configuration/timeLimit`` says. It runs in a task with the task-local
    /// values of the place where the rule is added, so that what it expects counts for the test there. Requests that it
    /// makes itself are not intercepted by any scope.
    ///
    /// - Parameters:
    ///   - pattern: Which requests.
    ///   - answer: Makes the reply; an error that it throws is what the request ends with. It is called for several
    ///     requests at a time.
    /// - Returns: The rule.
    public static func stub(
        _ pattern: RequestPattern, _ answer: @escaping @Sendable (InterceptedRequest) async throws -> Reply
    ) -> Rule {
        Rule(pattern) { .origin(.stub(TaskContext(), answer)) }
    }

    /// Requests are answered from the archives, in spite of rules that were added before.
    ///
    /// - Parameter pattern: Which requests.
    /// - Returns: The rule.
    public static func replay(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.archive) } }

    /// Requests are answered and recorded as a mode says, whatever mode the interceptor has.
    ///
    /// ```swift
    /// interceptor.add(.record("api.example.com/prices/**", .all), .record("api.example.com/**", .new))
    /// ```
    ///
    /// - Parameters:
    ///   - pattern: Which requests.
    ///   - mode: Where their answers come from, and what of them is recorded; ``ReplayMode/all`` by default, which
    ///     replaces the entries of the archive that fit the pattern. Where the interceptor has no archive to record into,
    ///     requests that would be recorded fail.
    /// - Returns: The rule.
    public static func record(_ pattern: RequestPattern, _ mode: ReplayMode = .all) -> Rule {
        Rule(pattern) { .origin(.mode(mode)) }
    }

    /// Requests go to the network.
    ///
    /// They take the settings of their session along, on Linux all but its cache, and come past every
    /// interceptor.
    ///
    /// - Parameter pattern: Which requests.
    /// - Returns: The rule.
    public static func passThrough(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.network) } }

    /// Requests go to another place of the network, such as a server of one's own.
    ///
    /// ```swift
    /// interceptor.add(try .reroute("https://yourserver.com/foo", to: "http://127.0.0.1:8000/foo"))
    /// ```
    ///
    /// Their callers see the answer as one of the place that they asked.
    ///
    /// - Parameters:
    ///   - origin: The beginning of the URLs, `[scheme://]host[:port][/path]`, up to the end of a part of the path.
    ///   - target: What takes its place, in the same form; the scheme stays where it names none.
    /// - Returns: The rule.
    /// - Throws: `invalidRule` when one of both has another form.
    public static func reroute(_ origin: String, to target: String) throws(RelayError) -> Rule {
        let route = try Route(from: origin, to: target)
        let host = route.origin
        let pattern = RequestPattern("route \(route)", namesHost: { named, _ in named == host }) {
            route.rerouted($0.url) != nil
        }
        return Rule(pattern) { .origin(.route(route)) }
    }

    /// Requests go to the network, and a closure is told what came back, beside the way to their callers.
    ///
    /// - Parameters:
    ///   - pattern: Which requests.
    ///   - tell: Is given each request as it was sent, redirected ones by themselves, with the whole answer or the error in
    ///     its place.
    /// - Returns: The rule.
    package static func passThrough(
        _ pattern: RequestPattern,
        telling tell: @escaping @Sendable (InterceptedRequest, Result<InterceptedResponse, any Error>) -> Void
    ) -> Rule {
        let queue = BackgroundQueue(label: "Rule.passThrough")
        let receiver = ExchangeReceiver(in: queue) { exchange in
            guard let head = exchange.head, exchange.error == nil else {
                return tell(exchange.request, .failure(exchange.error ?? URLError(.badServerResponse)))
            }
            let response = InterceptedResponse(
                url: exchange.request.url, status: head.status, statusText: head.statusText,
                httpVersion: exchange.wire.httpVersion ?? "", headers: head.headers, body: exchange.body.data)
            tell(exchange.request, .success(response))
        }
        return Rule(pattern) { .origin(.record(nil, receiver)) }
    }

    /// Requests fail, as those do that nothing answers.
    ///
    /// - Parameter pattern: Which requests.
    /// - Returns: The rule.
    public static func fail(_ pattern: RequestPattern) -> Rule { Rule(pattern) { .origin(.nothing) } }

    /// Replies are changed before they are delivered, wherever they come from.
    ///
    /// - Parameters:
    ///   - pattern: Which requests' replies; those of all by default.
    ///   - overrides: The changes, which apply in this order.
    /// - Returns: The rule.
    public static func override(_ pattern: RequestPattern = .any, _ overrides: ResponseOverride...) -> Rule {
        Rule(pattern) { .overrides(overrides.map { $0.applied() }) }
    }
}
