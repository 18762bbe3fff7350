import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// Intercepts the requests of an app before they reach the network, and answers them with closures.
///
/// Intercepts are registered for the whole process and apply to every session that uses ``InterceptProtocol``. Later
/// intercepts take precedence.
public enum Innernet {
    struct State {
        var allowsPassthroughRequests = false
        var timeoutThreshold = 15.0
        var allowsConcurrentHandlers = false
        var isRegistered = false
        var console: ConsoleIntercepts?
        var log: ExchangeLog?
    }

    static let state = Mutex(State())

    /// The interceptor that responds to requests, including the rules that apply if no intercept matches.
    static let interceptor: Interceptor = {
        var configuration = Interceptor.Configuration()
        configuration.timeLimit = .seconds(1 << 30)  // Each handler has its own time limit, which can change.
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

    /// Whether requests that no intercept matches are sent to the network.
    ///
    /// By default (`false`), these requests fail with ``InnernetsError/blockedPassthrough``.
    public static var allowsPassthroughRequests: Bool {
        get { state.withLock(\.allowsPassthroughRequests) }
        set { state.withLock { $0.allowsPassthroughRequests = newValue } }
    }

    /// Whether handlers with a completion closure may run concurrently.
    ///
    /// By default (`false`), each handler starts after the previous one has returned, so handlers can share variables.
    /// A handler that blocks its thread delays the others. `async` handlers always run concurrently.
    public static var allowsConcurrentHandlers: Bool {
        get { state.withLock(\.allowsConcurrentHandlers) }
        set { state.withLock { $0.allowsConcurrentHandlers = newValue } }
    }

    /// The time limit of each intercept in seconds, measured from the call to its handler; 15 by default.
    ///
    /// A request that does not receive a response in time fails with ``InnernetsError/interceptTimeout``.
    public static var timeoutThreshold: Double {
        get { state.withLock(\.timeoutThreshold) }
        set { state.withLock { $0.timeoutThreshold = newValue } }
    }

    // MARK: - Intercepts

    /// Intercepts requests whose URL matches a pattern.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - url: The pattern, such as `example.com/items/*/info`: `*` matches any single path component, and `**`
    ///     matches all remaining components. Each component after `**` requires an additional component with any text.
    ///   - onRequest: A closure that receives each request and a closure to call with the response.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, matching url: String,
        onRequest: @escaping @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void
    ) {
        interceptor.add(rule(for: InterceptPattern.requests(url), method, .closure(onRequest)))
    }

    /// Intercepts requests selected by a closure.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - canIntercept: A closure that returns whether to intercept a request with that method.
    ///   - onRequest: A closure that receives each request and a closure to call with the response.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, canIntercept: @escaping @Sendable (URLRequest) -> Bool,
        onRequest: @escaping @Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void
    ) {
        let pattern = RequestPattern.where { URLRequest($0).map(canIntercept) ?? false }
        interceptor.add(rule(for: pattern, method, .closure(onRequest)))
    }

    /// Intercepts requests whose URL matches a pattern, and answers them with the return value of `onRequest`.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - url: The pattern, such as `example.com/items/*/info`: `*` matches any single path component, and `**`
    ///     matches all remaining components. Each component after `**` requires an additional component with any text.
    ///   - onRequest: A closure that receives each request and returns the response. If it throws, the request fails
    ///     with that error.
    public static func intercept(
        _ method: HTTPMethod, matching url: String,
        onRequest: @escaping @Sendable (URLRequest) async throws -> ResponseStrategy
    ) {
        interceptor.add(rule(for: InterceptPattern.requests(url), method, .async(onRequest)))
    }

    /// Intercepts requests selected by a closure, and answers them with the return value of `onRequest`.
    ///
    /// - Parameters:
    ///   - method: The method of the requests.
    ///   - canIntercept: A closure that returns whether to intercept a request with that method.
    ///   - onRequest: A closure that receives each request and returns the response. If it throws, the request fails
    ///     with that error.
    @preconcurrency
    public static func intercept(
        _ method: HTTPMethod, canIntercept: @escaping @Sendable (URLRequest) -> Bool,
        onRequest: @escaping @Sendable (URLRequest) async throws -> ResponseStrategy
    ) {
        let pattern = RequestPattern.where { URLRequest($0).map(canIntercept) ?? false }
        interceptor.add(rule(for: pattern, method, .async(onRequest)))
    }

    /// Sends requests to a different URL, for example on a local server.
    ///
    /// The response keeps the URL of the original request.
    ///
    /// - Parameters:
    ///   - origin: The URL prefix to replace, such as `yourserver.com/foo`. It matches only whole path components.
    ///   - target: The replacement, such as `http://localhost:8000/foo`. If it has no scheme, requests keep their own.
    /// - Throws: `invalidRule` if either URL is invalid.
    public static func reroute(_ origin: String, to target: String) throws {
        interceptor.add(try .reroute(origin, to: target))
    }

    /// Removes all intercepts and routes, including the intercepts of a console.
    public static func unregisterAll() {
        interceptor.removeAllRules()
        interceptor.add(baseRules)
    }

    // MARK: - Observing

    /// Starts writing a line for each request.
    ///
    /// Secrets are redacted.
    ///
    /// - Parameter write: A closure that receives each line. By default, lines are written to standard error.
    public static func enableLogging(_ write: @escaping @Sendable (String) -> Void = ExchangeLog.writeToStandardError) {
        let log = ExchangeLog(of: interceptor, write: write)
        state.withLock { $0.log = log }
    }

    /// Stops logging.
    public static func disableLogging() { state.withLock { $0.log = nil } }

    /// Uses the intercepts of a console, a program on the same machine, and reports network traffic to it.
    ///
    /// Requests wait until the intercepts have been fetched or fetching fails.
    ///
    /// - Parameter port: The port that the console listens on; 5069 by default.
    public static func enableExternalConsole(port: Int = 5069) {
        disableExternalConsole()
        let console = ConsoleIntercepts(of: Console(port: port), for: interceptor)
        state.withLock { $0.console = console }
        console.load { reason in
            state.withLock(\.log)?.write("The intercepts of the console could not be fetched: \(reason)")
        }
    }

    /// Removes the console's intercepts and stops reporting to it.
    public static func disableExternalConsole() { state.withLock { $0.console.take() }?.remove() }
}

extension Innernet {
    /// The method of a request.
    public enum HTTPMethod: Hashable, Sendable {
        /// A method defined by HTTP.
        case get, head, post, put, delete, connect, options, trace, patch

        /// Any other method, by its name.
        case custom(String)

        /// The name sent in the request, such as `GET`.
        public var rawValue: String { if case .custom(let name) = self { name } else { "\(self)".uppercased() } }
    }
}

/// A log with a line for each exchange of an interceptor.
///
/// Logging stops when this object is deallocated.
public final class ExchangeLog: Sendable {
    let write: @Sendable (String) -> Void
    private let reading: Task<Void, Never>

    init(of interceptor: Interceptor, write: @escaping @Sendable (String) -> Void) {
        self.write = write
        let exchanges = interceptor.exchanges
        reading = Task { for await exchange in exchanges { write("\(exchange)") } }
    }

    deinit { reading.cancel() }

    /// Writes a line to standard error.
    ///
    /// - Parameter line: The line, without a line break.
    public static func writeToStandardError(_ line: String) {
        StandardStreams.writeToStandardError("Innernet: \(line)\n")
    }
}

extension Innernet {
    /// The handler of a request.
    enum Handler: Sendable {
        /// A closure that passes the response to its second argument once, at any time.
        case closure(@Sendable (URLRequest, @escaping @Sendable (ResponseStrategy) -> Void) -> Void)

        /// A closure that returns the response.
        case async(@Sendable (URLRequest) async throws -> ResponseStrategy)
    }

    /// An actor that runs one closure at a time.
    private actor SerialHandlers {
        static let shared = SerialHandlers()

        func run(_ handler: @Sendable () -> Void) { handler() }
    }

    /// Returns the rule for an intercept.
    static func rule(for pattern: RequestPattern, _ method: HTTPMethod, _ handler: Handler) -> Rule {
        .stub(.method(method.rawValue).and(pattern)) { request in
            guard let request = URLRequest(request) else { throw URLError(.badURL) }
            return try await answer(to: request, by: handler).reply
        }
    }

    /// Returns the first response of a handler, or throws an error if the handler exceeds the time limit.
    private static func answer(to request: URLRequest, by handler: Handler) async throws -> ResponseStrategy {
        let answer = FirstResult<ResponseStrategy>()
        let timer = Mutex<Task<Void, any Error>?>(nil)
        @Sendable func startTimer() {
            let threshold = timeoutThreshold
            let task = Task {
                try await Task.sleep(for: Duration(clampingSeconds: threshold))
                answer.give(.failure(InnernetsError.interceptTimeout))
            }
            timer.withLock { $0 = task }
        }
        let work = Task {
            switch handler {
            case .closure(let handle):
                @Sendable func run() {
                    guard !Task.isCancelled else { return }
                    startTimer()
                    handle(request) { answer.give(.success($0)) }
                }
                if allowsConcurrentHandlers { run() } else { await SerialHandlers.shared.run(run) }
            case .async(let handle):
                startTimer()
                do {
                    answer.give(.success(try await handle(request)))
                } catch {
                    answer.give(.failure(error))
                }
            }
        }
        defer {
            work.cancel()
            timer.withLock { $0 }?.cancel()
        }
        return try await answer.value
    }
}
