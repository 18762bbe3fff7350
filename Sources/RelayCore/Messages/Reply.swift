public import Foundation
public import HTTPArchive
import Synchronization

/// A response or an error to deliver for a request, and the speed of the delivery.
///
/// ```swift
/// interceptor.add(.stub("api.example.com/items", try .json(items)))
/// interceptor.add(.stub("api.example.com/**", .failure(.notConnectedToInternet)))
/// ```
public struct Reply: Sendable {
    /// The response, or the error with which the request fails.
    public var result: Result<InterceptedResponse, any Error>

    /// The speed of delivery; immediate by default.
    public var pace: Pace

    /// The number of body bytes after which the connection is lost, or `nil` (the default) to deliver the complete
    /// body.
    public var cutOff: Int?

    /// The error to deliver after the response, if the recorded response is truncated.
    package var breakOff: URLError?

    /// Whether this is the last response in a chain of redirects, even if its status is a redirect.
    package var isLast = false

    /// Whether to deliver the response even if it violates HTTP: with any status, and with a body regardless of status
    /// and method.
    package var isVerbatim = false

    /// The recorded entry, or `nil` if the response is not from an archive.
    var recorded: HAR.Entry?

    /// The cache for the response as converted by an adapter, or `nil` if the response is delivered only once.
    var form: ConvertedForm?

    /// Whether ``completed(for:)`` was already called for an equal request.
    private(set) var isCompleted = false

    /// Creates a response with a pace.
    ///
    /// - Parameters:
    ///   - result: The response, or the error with which the request fails.
    ///   - pace: The speed of delivery; immediate by default.
    ///   - cutOff: The number of body bytes after which the connection is lost; `nil` by default.
    public init(_ result: Result<InterceptedResponse, any Error>, pace: Pace = Pace(), cutOff: Int? = nil) {
        self.result = result
        self.pace = pace
        self.cutOff = cutOff
    }
}

extension Reply {
    /// Returns a copy with the correct URL and length for a request, and without a body if the response cannot have
    /// one.
    ///
    /// - Parameter request: The request.
    /// - Returns: The copy. `Content-Length` is the size of the body, unless the header fields declare a content
    ///   coding, the recorded response is truncated, or the response was recorded as received by its client.
    func completed(for request: InterceptedRequest) -> Reply {
        guard !isCompleted else { return self }
        var reply = self
        guard case .success(var response) = result else {
            reply.result = result.mapError { ($0 as? URLError)?.failing(at: request.url) ?? $0 }
            return reply
        }
        if response.url.isEmpty { response.url = request.url }
        if InterceptedResponse.canHaveBody(status: response.status, method: request.method) {
            if breakOff == nil, !isLast, !response.headers.declareContentCoding { response.correctLength() }
        } else if response.bodySize > 0, !isVerbatim {
            response.body = Data()
            // RFC 9110, section 8.6: in responses to HEAD and with status 304, `Content-Length` is the length of the
            // omitted body. With status 204, the field is invalid.
            if response.status == 204 { response.headers.remove(named: ["content-length"]) }
        }
        reply.result = .success(response)
        return reply
    }
}

extension Reply {
    /// The error that ended the recorded exchange; `nil` for a complete response.
    package var recordedFailure: URLError? {
        if let breakOff { return breakOff }
        guard case .failure(let error) = result else { return nil }
        return error as? URLError
    }

    /// Returns a copy for repeated delivery to equal requests.
    ///
    /// - Parameter request: The request.
    /// - Returns: The completed response, with a cache for the response as converted by an adapter.
    func cached(for request: InterceptedRequest) -> Reply {
        var reply = completed(for: request)
        reply.form = ConvertedForm()
        reply.isCompleted = true
        return reply
    }

    /// A copy that may be changed.
    ///
    /// It must be completed again before delivery.
    var changeable: Reply {
        var reply = self
        reply.form = nil
        reply.isCompleted = false
        return reply
    }

    /// Returns the response as converted by an adapter, from the cache if possible.
    ///
    /// - Parameter make: A closure that converts the response, or returns `nil` if that is impossible.
    /// - Returns: The converted response.
    package func converted<Form: Sendable>(_ make: () -> Form?) -> Form? { form.map { $0.value(make) } ?? make() }

    /// The body in a file, for an adapter that reads it in parts; nil for an error or a body in memory.
    var storedBody: StoredBody? { try? result.get().storedBody }

    /// Whether the complete response is delivered immediately.
    package var isImmediate: Bool { pace.isImmediate && cutOff == nil && breakOff == nil }
}

// MARK: - Stub responses

extension Reply {
    /// Returns the given response for delivery.
    ///
    /// - Parameter response: The response. If its URL is empty, the URL of the request is used.
    /// - Returns: The response.
    public static func response(_ response: InterceptedResponse) -> Reply { Reply(.success(response)) }

    /// Returns a response without a body.
    ///
    /// - Parameters:
    ///   - status: The status code, such as 204.
    ///   - headers: The header fields; none by default.
    /// - Returns: The response.
    public static func status(_ status: Int, headers: [HeaderField] = []) -> Reply {
        response(InterceptedResponse(url: "", status: status, headers: headers))
    }

    /// Returns a response with a binary body.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The media type for `Content-Type`; `application/octet-stream` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: Additional header fields; none by default.
    /// - Returns: The response.
    public static func data(
        _ body: Data, type: String = "application/octet-stream", status: Int = 200, headers: [HeaderField] = []
    ) -> Reply {
        let defaults = [("Content-Type", type), ("Content-Length", String(body.count))]
            .filter { headers.values(named: $0.0).isEmpty }
            .map { HeaderField(name: $0, value: $1) }
        return response(InterceptedResponse(url: "", status: status, headers: defaults + headers, body: body))
    }

    /// Returns a response with UTF-8 text.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: The media type; `text/plain; charset=utf-8` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: Additional header fields; none by default.
    /// - Returns: The response.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200, headers: [HeaderField] = []
    ) -> Reply {
        data(Data(text.utf8), type: type, status: status, headers: headers)
    }

    /// Returns a response with a value encoded as JSON.
    ///
    /// - Parameters:
    ///   - value: The value to encode.
    ///   - encoder: The encoder; `JSONEncoder()` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: Additional header fields; none by default.
    /// - Returns: The response.
    /// - Throws: The encoder's error.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder(), status: Int = 200, headers: [HeaderField] = []
    ) throws -> Reply {
        data(try encoder.encode(value), type: "application/json", status: status, headers: headers)
    }

    /// Returns a response with a JSON value.
    ///
    /// - Parameters:
    ///   - value: The body, such as `["name": "Ada", "age": 36]`.
    ///   - status: The status code; 200 by default.
    ///   - headers: Additional header fields; none by default.
    /// - Returns: The response.
    public static func jsonValue(_ value: JSONValue, status: Int = 200, headers: [HeaderField] = []) -> Reply {
        data(value.data(), type: "application/json", status: status, headers: headers)
    }

    /// Returns a redirect.
    ///
    /// - Parameters:
    ///   - location: The target: an absolute URL, or a URL relative to the request's URL.
    ///   - status: The status code; 302 by default.
    /// - Returns: The response.
    public static func redirect(to location: String, status: Int = 302) -> Reply {
        self.status(status, headers: [HeaderField(name: "Location", value: location)])
    }

    /// Returns a network error in place of a response.
    ///
    /// - Parameter code: The code, such as `.timedOut`, `.notConnectedToInternet`, `.networkConnectionLost` or
    ///   `.secureConnectionFailed`.
    /// - Returns: The response.
    public static func failure(_ code: URLError.Code) -> Reply { error(URLError(byRule: code)) }

    /// Returns an error in place of a response.
    ///
    /// - Parameter error: The error with which the request fails.
    /// - Returns: The response.
    public static func error(_ error: any Error) -> Reply { Reply(.failure(error)) }

    /// Returns a copy with a longer delay.
    ///
    /// - Parameter delay: The time to add to the delay before the first byte.
    /// - Returns: The delayed response.
    public func delayed(by delay: Duration) -> Reply {
        var reply = self
        reply.pace.delay += delay
        return reply
    }
}

extension URLError {
    /// Creates an error for a request that fails because of a rule.
    init(byRule code: Code) {
        self.init(
            code,
            userInfo: [NSLocalizedDescriptionKey: "A rule made this request fail (URLError code \(code.rawValue))."])
    }

    /// Returns the error with the URL of its request added, as in live errors, unless the error already has a URL.
    func failing(at url: String) -> URLError {
        guard failingURL == nil, let url = URL(text: url) else { return self }
        return URLError(code, userInfo: userInfo.merging([NSURLErrorFailingURLErrorKey: url]) { $1 })
    }
}

/// A cache for a response that an adapter has converted, so that repeated deliveries need no conversion.
package final class ConvertedForm: Sendable {
    private let form = Mutex<(any Sendable)?>(nil)

    /// Returns the converted response, creating it on first use.
    ///
    /// - Parameter make: A closure that converts the response, or returns `nil` if that is impossible. All calls must
    ///   return equal results.
    /// - Returns: The new or cached value.
    func value<Form: Sendable>(_ make: () -> Form?) -> Form? {
        if let form = form.withLock({ $0 }) as? Form { return form }
        guard let newForm = make() else { return nil }
        form.withLock { $0 = newForm }
        return newForm
    }
}

/// The speed at which a response is delivered; immediate by default.
public struct Pace: Hashable, Sendable {
    /// The time before the first byte.
    public var delay: Duration

    /// The minimum time from the first to the last byte of the body.
    public var transfer: Duration

    /// The maximum number of body bytes per second, at least 1, or `nil` for no limit.
    public var bytesPerSecond: Int?

    /// The recorded chunks of the body, with times since the start of the body in milliseconds; empty if the transfer
    /// has equal parts.
    var recordedChunks: [BodyChunk] = []

    /// Creates a pace.
    ///
    /// - Parameters:
    ///   - delay: The time before the first byte; zero by default.
    ///   - transfer: The minimum transfer time of the body; zero by default.
    ///   - bytesPerSecond: The maximum number of body bytes per second; no limit by default.
    public init(delay: Duration = .zero, transfer: Duration = .zero, bytesPerSecond: Int? = nil) {
        self.delay = delay
        self.transfer = transfer
        self.bytesPerSecond = bytesPerSecond
    }
}

extension Pace {
    /// Whether the response is delivered immediately.
    package var isImmediate: Bool {
        delay <= .zero && transfer <= .zero && bytesPerSecond == nil && recordedChunks.isEmpty
    }

    /// Creates the pace of a recorded exchange.
    ///
    /// The delay is the sum of all phases before the first byte of the response. The transfer time is the `receive`
    /// phase.
    ///
    /// The `ssl` phase is part of `connect` (http://www.softwareishard.com/blog/har-12-spec/#timings).
    ///
    /// - Parameters:
    ///   - timings: The recorded timings; missing and negative times count as zero.
    ///   - scale: A factor for all times, such as 0.5 to halve them.
    init(_ timings: HAR.Timings, scale: Double) {
        let before = [timings.blocked, timings.dns, timings.connect, timings.send, timings.wait]
        self.init(
            delay: Duration(clampingSeconds: before.reduce(0) { $0 + max(0, $1 ?? 0) } * scale / 1000),
            transfer: Duration(clampingSeconds: max(0, timings.receive ?? 0) * scale / 1000))
    }

    /// Returns the transfer time of a body with the given size in bytes.
    func transfer(of size: Int) -> Duration {
        guard let bytesPerSecond, size > 0 else { return size > 0 ? transfer : .zero }
        return max(transfer, Duration(clampingSeconds: Double(size) / Double(max(1, bytesPerSecond))))
    }

    /// Returns the chunks for delivering the body of a response, and their times since the start of the body.
    ///
    /// Without recorded chunks, a chunk of an event stream contains complete events, and any other body has chunks of
    /// equal size.
    ///
    /// - Parameter response: The response.
    /// - Returns: The byte ranges of the chunks, in order; empty for an empty body.
    package func chunks(of response: InterceptedResponse) -> [(time: Duration, range: Range<Int>)] {
        let size = response.bodySize
        guard size > 0 else { return [] }
        let time = transfer(of: size)
        guard time > .zero || !recordedChunks.isEmpty else { return [(.zero, 0..<size)] }
        let ends = response.isEventStream ? EventStream.ends(of: response.body) : []
        if !recordedChunks.isEmpty {
            let limited = Pace(bytesPerSecond: bytesPerSecond)
            return recordedChunks.ranges(of: size, borders: ends).map { time, range in
                (max(Duration(clampingSeconds: time / 1000), limited.transfer(of: range.upperBound)), range)
            }
        }
        let units = ends.isEmpty ? size : ends.count
        let equal = max(1, min(Self.limit, Int(clamping: (time / Self.interval).rounded(.up))))
        let count = min(units, ends.isEmpty ? equal : Self.limit)
        var start = 0
        return (1...count).map { index in
            let unit = units * index / count
            let end = ends.isEmpty ? unit : ends[unit - 1]
            defer { start = end }
            return (time / count * index, start..<end)
        }
    }

    /// The maximum number of chunks.
    private static let limit = 1000

    /// The delay between chunks of equal size.
    ///
    /// It is longer if the transfer would otherwise need more than ``limit`` chunks.
    private static let interval = Duration.milliseconds(50)
}
