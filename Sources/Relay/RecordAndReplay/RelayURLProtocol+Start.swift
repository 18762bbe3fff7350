import RelayCore
import RelayURLSession
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RelayURLProtocol {
    /// Begins to intercept for the task or thread that calls, as ``Relay`` does.
    ///
    /// - Parameters:
    ///   - filter: Say which requests are taken: those that all of them take.
    ///   - request: Answer them; the first one alone is asked.
    ///   - modify: Change the answers, one after the other; none by default.
    /// - Returns: What ends it; it need not be kept.
    @discardableResult
    public static func start(
        filter: [any RequestFilter], request: [any RequestProcessor], modify: [any ResponseModifier] = []
    ) -> ActiveInterception {
        nonisolated(unsafe) let (filters, modifiers) = (filter, modify)
        let pattern = RequestPattern.where { request in
            URLRequest(request).map { filters.shouldProcess(request: $0) } ?? false
        }
        let changes = ResponseOverride.changing { request, response in
            guard let url = URL(text: request.url) else { return response }
            return try await modifiers.modify(response: NetworkResponse(response, url: url)).intercepted
        }
        return Interceptor(
            answering: pattern, by: request.first ?? request, overrides: modify.isEmpty ? [] : [changes]
        ).beginInterceptingForCaller()
    }
}

extension Interceptor {
    /// Creates the interceptor of some settings.
    convenience init(answering config: InterceptionConfig, by processor: any RequestProcessor) {
        let values = config.jsonValueOverrides
        self.init(
            answering: .keywords(config.urlKeywords), by: processor,
            overrides: values.isEmpty ? [] : [.jsonMembers(values)])
    }

    /// Creates an interceptor that has a processor answer the requests of a pattern, and lets others pass.
    convenience init(
        answering pattern: RequestPattern, by processor: any RequestProcessor, overrides: [ResponseOverride]
    ) {
        self.init(name: "Relay", configuration: .processing)
        nonisolated(unsafe) let processor = processor
        for override in overrides { add(.override(pattern, override)) }
        guard !(processor is LiveRequestAndReplayRequestProcessor) else { return }
        add(
            .stub(pattern) { request in
                guard let request = URLRequest(request) else { throw URLError(.badURL) }
                return .response(try await processor.process(request: request).intercepted)
            })
    }
}

extension Interceptor.Configuration {
    /// Requests pass that are not for a processor, and a processor has the time that its own requests take.
    static var processing: Self {
        var configuration = Self()
        configuration.unmatchedRequests = .passThrough
        configuration.timeLimit = .seconds(3_600)
        return configuration
    }
}
