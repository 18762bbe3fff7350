import Foundation
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a console intercepts, as rules of an interceptor.
final class ConsoleIntercepts: Sendable {
    private let console: Console
    private let interceptor: Interceptor
    private let rules = Mutex<[Rule]?>([])

    init(of console: Console, for interceptor: Interceptor) {
        self.console = console
        self.interceptor = interceptor
    }

    /// Asks the console what it intercepts; requests that come meanwhile wait.
    ///
    /// - Parameter fail: Is told why nothing came.
    func load(orElse fail: @escaping @Sendable (String) -> Void) {
        let (beginning, isWaitedFor) = AsyncStream<Never>.makeStream()
        let loading = Task { [self] in
            for await _ in beginning {}
            do {
                add(try await console.intercepts().map(rule))
            } catch {
                fail(error.localizedDescription)
            }
            // From here on requests find all rules, the one that let them wait being gone.
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

    /// Takes the rules away.
    func remove() {
        let rules = rules.withLock { $0.take() }
        for rule in rules ?? [] { interceptor.remove(rule) }
    }

    /// Tells the console of a request that went to the network.
    func report(_ request: InterceptedRequest, _ result: Result<InterceptedResponse, any Error>) {
        let response = try? result.get()
        let report = Console.Report(
            statusCode: response?.status ?? -1, method: request.method, url: request.url,
            reqHeaders: request.headers.joined, reqBody: request.body, resBody: response?.body,
            resHeaders: response?.headers.joined)
        Task { [console] in try? await console.send(report) }
    }

    private func rule(for intercept: Console.Intercept) -> Rule {
        Innernet.rule(for: .url(intercept.matchURL), .custom(intercept.method)) { [console] _, answer in
            answer(try await console.response(of: intercept))
        }
    }

    /// Adds rules, unless all were taken away.
    private func add(_ added: [Rule]) {
        rules.withLock { rules in
            guard rules != nil else { return }
            rules?.append(contentsOf: added)
            interceptor.add(added)
        }
    }
}

extension [HeaderField] {
    /// The values by name, those of one name as one.
    fileprivate var joined: [String: String] {
        Dictionary(map { ($0.name, $0.value) }) { "\($0), \($1)" }
    }
}
