import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension RelayURLProtocol {
    /// Begins an interception for the calling task or thread, like the methods of ``Relay``.
    ///
    /// - Parameters:
    ///   - filter: The filters. A request is processed if all of them accept it.
    ///   - request: The request processors. Only the first is used.
    ///   - modify: The response modifiers, applied in order; none by default.
    /// - Returns: The interception, which does not have to be retained.
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
            answering: pattern, by: request.first ?? NoProcessor(), overrides: modify.isEmpty ? [] : [changes]
        ).beginInterceptingForCompatibility()
    }
}

/// The request processor for calls that do not pass one.
private struct NoProcessor: RequestProcessor {
    func process(request: URLRequest) async throws -> NetworkResponse {
        throw RelayURLProtocolError.noRequestsToExecute
    }
}

extension Interceptor {
    convenience init(answering config: InterceptionConfig, by processor: any RequestProcessor) {
        let values = config.jsonValueOverrides
        self.init(
            answering: .keywords(config.urlKeywords), by: processor,
            overrides: values.isEmpty ? [] : [.jsonMembers(values)])
    }

    /// Creates an interceptor that passes matching requests to a processor and other requests to the network.
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
                var reply = Reply.response(try await processor.process(request: request).intercepted)
                reply.isVerbatim = true
                return reply
            })
    }
}

extension Interceptor.Configuration {
    /// The settings for request processors.
    ///
    /// Unmatched requests are passed through, and a processor has one hour to respond.
    static var processing: Self {
        var configuration = Self()
        configuration.unmatchedRequests = .passThrough
        configuration.timeLimit = .seconds(3_600)
        return configuration
    }
}
