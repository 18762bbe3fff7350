import RelayCore

#if !canImport(FoundationNetworking)
    import Foundation
    import HTTPArchive

    extension TransferFacts {
        /// Creates the facts from a session's metrics on Apple platforms, or returns nil if nothing was sent.
        ///
        /// Header fields are unordered, and repeated fields are joined, as in `URLRequest` and `HTTPURLResponse`.
        ///
        /// - Parameter metrics: The metrics of a task. The last transaction over the network is used.
        init?(_ metrics: URLSessionTaskMetrics) {
            let transactions = metrics.transactionMetrics.filter { $0.resourceFetchType == .networkLoad }
            guard let transaction = transactions.last else { return nil }
            requestHeaders = InterceptedRequest(transaction.request, body: nil).headers
            wire.httpVersion = transaction.networkProtocolName.map(Self.version)
            wire.requestHeadersSize = Self.size(transaction.countOfRequestHeaderBytesSent)
            wire.requestBodySize = Int(transaction.countOfRequestBodyBytesSent)
            if transaction.response != nil {
                wire.responseHeadersSize = Self.size(transaction.countOfResponseHeaderBytesReceived)
                wire.responseBodySize = Int(transaction.countOfResponseBodyBytesReceived)
            }
            wire.serverIPAddress = transaction.remoteAddress
            wire.connection = transaction.localPort.map(String.init)
            timings = Self.timings(transaction)
        }

        /// Returns the size of a header section, or nil if it is unknown.
        private static func size(_ count: Int64) -> Int? { count > 0 ? Int(count) : nil }

        /// Returns the version for an ALPN protocol name, as written in status lines.
        private static func version(_ name: String) -> String {
            switch name.lowercased() {
            case "h2", "h2c": "HTTP/2"
            case "h3": "HTTP/3"
            default: name.uppercased()
            }
        }

        /// Returns the durations of the phases as defined in HAR 1.2
        /// (http://www.softwareishard.com/blog/har-12-spec/#timings).
        private static func timings(_ transaction: URLSessionTaskTransactionMetrics) -> CapturedExchange.Timings? {
            guard let start = transaction.fetchStartDate else { return nil }
            let sending = transaction.requestStartDate ?? transaction.responseEndDate ?? start
            let dns = milliseconds(from: transaction.domainLookupStartDate, to: transaction.domainLookupEndDate)
            let connect = milliseconds(from: transaction.connectStartDate, to: transaction.connectEndDate)
            let before = sending.timeIntervalSince(start) * 1e3
            return CapturedExchange.Timings(
                blocked: max(0, before - (dns ?? 0) - (connect ?? 0)), dns: dns, connect: connect,
                send: milliseconds(from: transaction.requestStartDate, to: transaction.requestEndDate) ?? 0,
                wait: milliseconds(from: transaction.requestEndDate, to: transaction.responseStartDate) ?? 0,
                receive: milliseconds(from: transaction.responseStartDate, to: transaction.responseEndDate) ?? 0,
                ssl: milliseconds(
                    from: transaction.secureConnectionStartDate, to: transaction.secureConnectionEndDate))
        }

        private static func milliseconds(from start: Date?, to end: Date?) -> Double? {
            guard let start, let end else { return nil }
            return max(0, end.timeIntervalSince(start) * 1e3)
        }
    }
#endif
