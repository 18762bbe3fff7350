import HTTPArchive

extension CapturedExchange {
    /// Applies the filters of a recording.
    ///
    /// - Parameter filters: The filters, in order.
    /// - Returns: The name of the filter that drops the exchange, or nil if the exchange is recorded.
    /// - Throws: `incompleteRecording`, with the name of the filter, if a filter throws an error.
    mutating func apply(_ filters: [RecordingFilter]) throws(HARError) -> String? {
        guard !filters.isEmpty else { return nil }
        var exchange = RecordingFilter.Exchange(request: request, response: response, error: error)
        for filter in filters {
            do {
                if try !filter.filter(&exchange) { return filter.name }
            } catch {
                let request = MessageText.url(request.url)
                throw HARError(
                    .incompleteRecording,
                    "The filter '\(filter.name)' threw an error for \(request), so the exchange was not recorded: "
                        + "\(error)",
                    underlying: error)
            }
        }
        take(exchange)
        return nil
    }

    private var response: InterceptedResponse? {
        head.map { head in
            InterceptedResponse(
                url: clientURL ?? request.url, status: head.status, statusText: head.statusText,
                httpVersion: recordedVersion, headers: head.headers, body: body.data)
        }
    }

    /// Replaces the request and the response with the results of the filters.
    ///
    /// If the filters changed a header section or a body, its size on the wire is removed.
    private mutating func take(_ exchange: RecordingFilter.Exchange) {
        if exchange.request != request {
            if exchange.request.body != request.body { wire.requestBodySize = nil }
            wire.requestHeadersSize = nil
            request = exchange.request
        }
        guard let head, let response = exchange.response else { return }
        if response.headers != head.headers { wire.responseHeadersSize = nil }
        self.head = Head(status: response.status, statusText: response.statusText, headers: response.headers)
        if response.body != body.data {
            wire.responseBodySize = nil
            body = SpooledBody(response.body)
        }
    }
}
