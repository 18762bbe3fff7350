public import Foundation
import HTTPArchive

/// A filter that drops or changes exchanges before they are recorded.
///
/// ```swift
/// var recording = RecordingConfiguration()
/// recording.filters = [
///     .drop("errors") { ($0.response?.status ?? 0) >= 500 },
///     .keepHeaders("Accept", "Content-Type"),
///     .removeQueryItems("utm_source"),
///     .changeJSON { (user: inout User) in user.name = "Anna" },
/// ]
/// ```
///
/// Filters do not affect the response that the client receives. They run in order on a background queue, before secrets
/// are redacted.
public struct RecordingFilter: Sendable {
    /// The name of the filter in the recording report.
    public let name: String

    /// A closure that changes an exchange and returns whether to record it.
    let apply: @Sendable (inout Exchange) throws -> Bool

    /// Creates a filter.
    ///
    /// - Parameters:
    ///   - name: The name of the filter in the recording report.
    ///   - apply: A closure that can change an exchange and returns whether to record it. If it throws, the exchange is
    ///     not recorded, and the report contains the error.
    public init(_ name: String, _ apply: @escaping @Sendable (inout Exchange) throws -> Bool) {
        self.name = name
        self.apply = apply
    }
}

extension RecordingFilter {
    /// A request and its response, as they will be recorded.
    public struct Exchange: Sendable {
        /// The request.
        public var request: InterceptedRequest

        /// The response with its decoded body, or nil if the request failed before a response head was received.
        ///
        /// A filter can change the response, but cannot add or remove it.
        public var response: InterceptedResponse?

        /// The error that ended the exchange, or nil if the exchange is complete.
        public let error: (any Error)?
    }
}

extension RecordingFilter {
    /// Returns a filter that drops exchanges.
    ///
    /// - Parameters:
    ///   - name: The name of the filter in the recording report.
    ///   - isDropped: A closure that returns whether to drop an exchange.
    /// - Returns: The filter.
    public static func drop(
        _ name: String, where isDropped: @escaping @Sendable (Exchange) throws -> Bool
    ) -> RecordingFilter {
        RecordingFilter(name) { try !isDropped($0) }
    }

    /// Returns a filter that changes exchanges.
    ///
    /// - Parameters:
    ///   - name: The name of the filter in the recording report; `change` by default.
    ///   - change: A closure that changes an exchange.
    /// - Returns: The filter.
    public static func change(
        _ name: String = "change", _ change: @escaping @Sendable (inout Exchange) throws -> Void
    ) -> RecordingFilter {
        RecordingFilter(name) { exchange in
            try change(&exchange)
            return true
        }
    }
}

extension RecordingFilter {
    /// Returns a filter that records only the header fields with the given names, in requests and responses.
    ///
    /// - Parameter names: The case-insensitive names.
    /// - Returns: The filter.
    public static func keepHeaders(_ names: String...) -> RecordingFilter {
        headers("keepHeaders", Set(names.map { $0.lowercased() }), areKept: true)
    }

    /// Returns a filter that omits the header fields with the given names from recorded requests and responses.
    ///
    /// - Parameter names: The case-insensitive names.
    /// - Returns: The filter.
    public static func removeHeaders(_ names: String...) -> RecordingFilter {
        headers("removeHeaders", Set(names.map { $0.lowercased() }), areKept: false)
    }

    private static func headers(_ name: String, _ names: Set<String>, areKept: Bool) -> RecordingFilter {
        change(name) { exchange in
            exchange.request.headers.removeAll { names.contains($0.name.lowercased()) != areKept }
            exchange.response?.headers.removeAll { names.contains($0.name.lowercased()) != areKept }
        }
    }

    /// Returns a filter that records only the query items with the given names.
    ///
    /// By default, a request with other query items does not match its recorded entry. Use a ``RequestMatching`` that
    /// ignores those items.
    ///
    /// - Parameter names: The names, without percent-encoding.
    /// - Returns: The filter.
    public static func keepQueryItems(_ names: String...) -> RecordingFilter {
        queryItems("keepQueryItems", Set(names), areKept: true)
    }

    /// Returns a filter that omits the query items with the given names from recorded requests.
    ///
    /// By default, a request with the omitted query items does not match its recorded entry. Use a ``RequestMatching``
    /// that ignores these items: `matching: .standard.ignoring(queryItems: ["utm_source"])`.
    ///
    /// - Parameter names: The names, without percent-encoding.
    /// - Returns: The filter.
    public static func removeQueryItems(_ names: String...) -> RecordingFilter {
        queryItems("removeQueryItems", Set(names), areKept: false)
    }

    private static func queryItems(_ name: String, _ names: Set<String>, areKept: Bool) -> RecordingFilter {
        change(name) { exchange in
            let url = LiteralURL(exchange.request.url)
            guard !url.query.isEmpty else { return }
            let items = FormEncoding.literalItems(of: url.query.dropFirst())
            let kept = items.filter { names.contains(FormEncoding.name(of: $0)) == areKept }
            guard kept.count < items.count else { return }
            let query = kept.isEmpty ? "" : "?" + kept.joined(separator: "&")
            exchange.request.url = url.beforeQuery + query + url.fragment
        }
    }
}

extension RecordingFilter {
    /// Returns a filter that changes the bodies of responses.
    ///
    /// - Parameters:
    ///   - mediaType: The media type of the responses to change, such as `application/json` or `text/*`; nil (the
    ///     default) for all.
    ///   - change: A closure that changes a decoded body.
    /// - Returns: The filter.
    public static func changeBody(
        ofType mediaType: String? = nil, _ change: @escaping @Sendable (inout Data) throws -> Void
    ) -> RecordingFilter {
        .change("changeBody") { exchange in
            guard var response = exchange.response else { return }
            let type = response.headers.values(named: "content-type").first.flatMap { MediaType($0) }
            let pattern = mediaType.map { WildcardPattern($0.lowercased(), separators: "/") }
            guard pattern?.matches(type?.essence ?? RecordedText.unknownType) ?? true else { return }
            var body = response.body
            try change(&body)
            if body != response.body { response.replaceBody(with: body) }
            exchange.response = response
        }
    }

    /// Returns a filter that decodes the JSON bodies of responses, changes the values, and encodes them again.
    ///
    /// A body is recorded unchanged if it cannot be decoded or if its value does not change.
    ///
    /// - Parameters:
    ///   - type: The type of the decoded values.
    ///   - decoder: The decoder; a `JSONDecoder` with default settings if omitted.
    ///   - encoder: The encoder; a `JSONEncoder` with sorted keys if omitted.
    ///   - change: A closure that changes a decoded value.
    /// - Returns: The filter.
    public static func changeJSON<Value: Codable & SendableMetatype>(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder? = nil,
        _ change: @escaping @Sendable (inout Value) throws -> Void
    ) -> RecordingFilter {
        let encoder = encoder ?? .sorted
        return changeBody { body in
            guard var value = try? decoder.decode(Value.self, from: body) else { return }
            let before = try encoder.encode(value)
            try change(&value)
            let after = try encoder.encode(value)
            if after != before { body = after }
        }
    }
}

extension JSONEncoder {
    /// An encoder with sorted keys, which encodes equal values as identical text.
    package static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }
}

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
                if try !filter.apply(&exchange) { return filter.name }
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
