import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Intercepts the requests of an app before they reach the network, by closures that answer them.
///
/// What is registered here holds for the process, in every session that asks ``InterceptProtocol``. The intercept that was
/// registered last goes first.
public enum Innernet {
    struct State {
        var allowsPassthroughRequests = false
        var timeoutThreshold = 15.0
        var isRegistered = false
        var console: ConsoleIntercepts?
        var log: ExchangeLog?
    }

    static let state = Mutex(State())

    /// What answers, with the rules that stand below all intercepts.
    static let interceptor: Interceptor = {
        var configuration = Interceptor.Configuration()
        configuration.timeLimit = .seconds(1 << 30)  // Each handler has a limit of its own, which may change.
        let interceptor = Interceptor(name: "Innernet", configuration: configuration)
        interceptor.add(baseRules)
        return interceptor
    }()

    private static let baseRules: [Rule] = [
        .stub(.any, .error(InnernetsError.blockedPassthrough)),
        .passThrough(.where { _ in allowsPassthroughRequests }),
        .passThrough(.where { _ in allowsPassthroughRequests && console != nil }) { console?.report($0, $1) },
    ]

    private static var console: ConsoleIntercepts? { state.withLock(\.console) }

    // MARK: - Settings

    /// Whether requests that nothing intercepts go to the network; `false` by default, which lets them fail with
    /// ``InnernetsError/blockedPassthrough``.
    public static var allowsPassthroughRequests: Bool {
        get { state.withLock(\.allowsPassthroughRequests) }
        set { state.withLock { $0.allowsPassthroughRequests = newValue } }
    }

    /// The time in seconds that an intercept has to answer; 15 by default.
    ///
    /// A request that gets no answer in time fails with ``InnernetsError/interceptTimeout``.
    public static var timeoutThreshold: Double {
        get { state.withLock(\.timeoutThreshold) }
        set { state.withLock { $0.timeoutThreshold = newValue } }
    }

    // MARK: - Intercepts

    /// Answers the requests whose URLs fit a pattern.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - url: The pattern, such as `example.com/items/*/info`: `*` stands for any one part, `**` for all that follow.
    ///   - onRequest: Is given each request, and calls the closure that it is given as well with the answer.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, matching url: String,
        onRequest: @escaping @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void
    ) {
        interceptor.add(rule(for: .url(url), method, onRequest))
    }

    /// Answers the requests that code chooses.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - canIntercept: Says of a request of that method whether it is intercepted.
    ///   - onRequest: Is given each request, and calls the closure that it is given as well with the answer.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, canIntercept: @escaping @Sendable (URLRequest) -> Bool,
        onRequest: @escaping @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void
    ) {
        interceptor.add(rule(for: .where { URLRequest($0).map(canIntercept) ?? false }, method, onRequest))
    }

    /// Answers the requests whose URLs fit a pattern by what a closure returns.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - url: The pattern, such as `example.com/items/*/info`: `*` stands for any one part, `**` for all that follow.
    ///   - onRequest: Is given each request, and returns the answer; what it throws is what the request ends with.
    public static func intercept(
        _ method: HTTPMethod, matching url: String,
        onRequest: @escaping @Sendable (URLRequest) async throws -> ResponseStrategy
    ) {
        interceptor.add(rule(for: .url(url), method) { $1(try await onRequest($0)) })
    }

    /// Answers the requests that code chooses by what a closure returns.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - canIntercept: Says of a request of that method whether it is intercepted.
    ///   - onRequest: Is given each request, and returns the answer; what it throws is what the request ends with.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, canIntercept: @escaping @Sendable (URLRequest) -> Bool,
        onRequest: @escaping @Sendable (URLRequest) async throws -> ResponseStrategy
    ) {
        let pattern = RequestPattern.where { URLRequest($0).map(canIntercept) ?? false }
        interceptor.add(rule(for: pattern, method) { $1(try await onRequest($0)) })
    }

    /// Sends requests to another place, such as a server of one's own; their callers see the place that they asked.
    ///
    /// - Parameters:
    ///   - origin: The beginning of the URLs, such as `yourserver.com/foo`, up to the end of a part of the path.
    ///   - target: What takes its place, such as `http://localhost:8000/foo`; the scheme stays where it names none.
    /// - Throws: `invalidRule` when one of both has another form.
    public static func reroute(_ origin: String, to target: String) throws {
        interceptor.add(try .reroute(origin, to: target))
    }

    /// Forgets all intercepts and routes, those of a console as well.
    public static func unregisterAll() {
        interceptor.removeAllRules()
        interceptor.add(baseRules)
    }

    // MARK: - Observing

    /// Writes a line for each request from now on, without secrets.
    ///
    /// - Parameter write: Is given the lines; they go to the standard error by default.
    public static func enableLogging(_ write: @escaping @Sendable (String) -> Void = ExchangeLog.writeToStandardError) {
        let log = ExchangeLog(of: interceptor, write: write)
        state.withLock { $0.log = log }
    }

    /// Writes nothing any more.
    public static func disableLogging() { state.withLock { $0.log = nil } }

    /// Takes the intercepts of a console, a program on the same machine, and reports to it what goes to the network.
    ///
    /// Requests wait until its intercepts are known, or until it turns out that there is no console.
    ///
    /// - Parameter port: Where it listens; 5069 by default.
    public static func enableExternalConsole(port: Int = 5069) {
        disableExternalConsole()
        let console = ConsoleIntercepts(of: Console(port: port), for: interceptor)
        state.withLock { $0.console = console }
        console.load { reason in state.withLock(\.log)?.write("The console has no intercepts: \(reason)") }
    }

    /// Takes away what the console intercepts, and reports nothing to it any more.
    public static func disableExternalConsole() { state.withLock { $0.console.take() }?.remove() }
}
