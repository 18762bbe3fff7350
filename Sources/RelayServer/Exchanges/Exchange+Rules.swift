#if Server
    import HTTPArchive
    import RelayCore
    import Synchronization

    /// The search for rules whose regular expressions and bodies may take long, which must not delay other clients.
    extension Exchange {
        /// Finds out whether the archives and rules know the host of the request.
        ///
        /// - Parameters:
        ///   - host: The host.
        ///   - handle: A closure that is called on the event loop, unless the exchange ends before.
        func findHost(_ host: RequestHost, then handle: @escaping @Sendable (_ isKnown: Bool) -> Void) {
            let (url, interceptor, rules) = (request.url, interceptor, server.webSockets.rules)
            let isKnown: @Sendable (UInt64) throws -> Bool = { limit in
                try interceptor.knows(host, of: url, within: limit)
                    || rules.contains { try $0.pattern.names(host, of: url, within: limit) }
            }
            // Without a result, a rule could be intended for the host.
            guard interceptor.rulesMayTakeLong || rules.contains(where: \.pattern.mayTakeLong) else {
                return handle((try? isKnown(.max)) ?? true)
            }
            search(in: url, isKnown) { handle($0 ?? true) }
        }

        /// Finds the last rule for WebSocket connections that matches the request.
        ///
        /// - Parameter handle: A closure that is called on the event loop, unless the exchange ends before, with the rule
        ///   or nil for none.
        func findWebSocketRule(then handle: @escaping @Sendable (WebSocketRule?) -> Void) {
            let (request, rules) = (request, server.webSockets.rules)
            if rules.isEmpty { return handle(nil) }
            let rule: @Sendable (UInt64) throws -> WebSocketRule? = { limit in
                try rules.last { try $0.pattern.matches(request, within: limit) }
            }
            search(in: request.url, reading: request.byteCount, rule) { handle($0 ?? nil) }
        }

        /// Finds out whether the archives and rules know the origin of a page.
        ///
        /// - Parameters:
        ///   - origin: The origin.
        ///   - handle: A closure that is called on the event loop, unless the exchange ends before.
        func findOrigin(_ origin: String, then handle: @escaping @Sendable (_ isKnown: Bool) -> Void) {
            guard let host = RequestHost(of: origin) else { return handle(false) }
            if server.origins.knows(String(LiteralURL(origin).host)) { return handle(true) }
            let interceptor = server.interceptor.answering
            search(in: origin, { try interceptor.knows(host, of: origin, within: $0) }) { handle($0 ?? true) }
        }

        /// Searches on the queues for decisions, and passes the result to a closure on the event loop.
        ///
        /// - Parameters:
        ///   - url: The URL in which regular expressions are searched.
        ///   - byteCount: The number of bytes that are compared otherwise; 0 by default.
        ///   - search: A closure that receives the processor time for each regular expression, in nanoseconds.
        ///   - handle: A closure that receives the result, or nil if a search takes too much work.
        private func search<Value: Sendable>(
            in url: String, reading byteCount: Int = 0, _ search: @escaping @Sendable (_ limit: UInt64) throws -> Value,
            then handle: @escaping @Sendable (Value?) -> Void
        ) {
            let isCanceled: @Sendable () -> Bool = { [self] in isOver.load(ordering: .relaxed) }
            interceptor.search(in: url, reading: byteCount, unless: isCanceled, search) { [self] result in
                server.turns.execute { [self] in
                    if sink != nil { handle(try? result.get()) }
                }
            }
        }
    }
#endif
