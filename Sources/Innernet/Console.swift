import Foundation
import HTTPArchive
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A client for a console: a program on the same machine that intercepts requests and displays network traffic.
struct Console: Sendable {
    /// A pattern for requests that the console intercepts.
    ///
    /// The console itself applies an intercept's delay.
    struct Intercept: Decodable, Sendable {
        let id: String
        let method: String
        let matchURL: String
    }

    /// A request that was sent to the network, and its response.
    struct Report: Encodable, Sendable {
        var statusCode: Int
        var method: String
        var url: String
        var reqHeaders: [String: String]
        var reqBody: Data?
        var resBody: Data?
        var resHeaders: [String: String]?
        var wasIntercepted = false
    }

    private let connection: ConsoleConnection

    /// The connection for responses.
    ///
    /// It has a longer time limit, because the console can delay responses deliberately.
    private let patientConnection: ConsoleConnection

    /// Creates a client for a console.
    ///
    /// - Parameters:
    ///   - port: The port of the console on this machine.
    ///   - timeLimit: The time limit for fetching the intercepts and for each report; 5 seconds by default. The limit
    ///     for a response is twelve times as long.
    init(port: Int, timeLimit: Duration = .seconds(5)) {
        connection = ConsoleConnection(port: port, timeLimit: timeLimit)
        patientConnection = ConsoleConnection(port: port, timeLimit: timeLimit * 12)
    }

    /// Returns the patterns for requests that the console intercepts.
    func intercepts() async throws -> [Intercept] {
        let (data, response) = try await connection.response(to: "GET", "/intercept")
        guard response.statusCode == 200 else { throw URLError(.badServerResponse) }
        return try JSONDecoder().decode([Intercept].self, from: data)
    }

    /// Returns the console's response to a request that it intercepts.
    func response(of intercept: Intercept) async throws -> ResponseStrategy {
        let id = PercentEncoding.encoded(intercept.id, keeping: .alphanumerics)
        let (data, response) = try await patientConnection.response(to: "GET", "/intercept/\(id)/response")
        return .redirected(data: data, response: response, error: nil)
    }

    /// Sends the console a report about a request.
    func send(_ report: Report) async throws {
        _ = try await connection.response(to: "POST", "/request", body: try JSONEncoder().encode(report))
    }
}

/// The intercepts of a console, as rules of an interceptor.
final class ConsoleIntercepts: Sendable {
    private let console: Console
    private let interceptor: Interceptor
    private let rules = Mutex<[Rule]?>([])

    init(of console: Console, for interceptor: Interceptor) {
        self.console = console
        self.interceptor = interceptor
    }

    /// Fetches the console's intercepts.
    ///
    /// Requests wait until the intercepts have been fetched or fetching fails.
    ///
    /// - Parameter fail: A closure that receives the reason if the intercepts cannot be fetched.
    func load(orElse fail: @escaping @Sendable (String) -> Void) {
        let (beginning, isWaitedFor) = AsyncStream<Never>.makeStream()
        let loading = Task { [self] in
            for await _ in beginning {}
            do {
                add(try await console.intercepts().map(rule))
            } catch {
                fail(error.localizedDescription)
            }
            // Waiting requests are sent again after this. They match the fetched intercepts only if the rule that made
            // them wait has been removed.
            if let waiting = rules.withLock({ $0?.first }) { interceptor.remove(waiting) }
        }
        let session = interceptor.session()
        let waiting = Rule.stub(.any) { request in
            await loading.value
            guard let request = URLRequest(request) else { throw URLError(.badURL) }
            let (data, response) = try await session.data(for: request)
            return ResponseStrategy.redirected(data: data, response: response, error: nil).reply
        }
        add([waiting])
        isWaitedFor.finish()
    }

    /// Removes the rules.
    func remove() {
        let rules = rules.withLock { $0.take() }
        for rule in rules ?? [] { interceptor.remove(rule) }
    }

    /// Sends the console a report about a request to the network.
    func report(_ request: InterceptedRequest, _ result: Result<InterceptedResponse, any Error>) {
        let response = try? result.get()
        let report = Console.Report(
            statusCode: response?.status ?? -1, method: request.method, url: request.url,
            reqHeaders: request.headers.joined, reqBody: request.body, resBody: response?.body,
            resHeaders: response?.headers.joined)
        Task { [console] in try? await console.send(report) }
    }

    private func rule(for intercept: Console.Intercept) -> Rule {
        let handler = Innernet.Handler.async { [console] _ in try await console.response(of: intercept) }
        return Innernet.rule(for: InterceptPattern.requests(intercept.matchURL), .custom(intercept.method), handler)
    }

    /// Adds rules unless ``remove()`` was called.
    private func add(_ added: [Rule]) {
        rules.withLock { rules in
            guard rules != nil else { return }
            rules?.append(contentsOf: added)
            interceptor.add(added)
        }
    }
}

extension [HeaderField] {
    /// The values, keyed by name.
    ///
    /// Values with the same name are joined.
    fileprivate var joined: [String: String] {
        Dictionary(map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }
}
