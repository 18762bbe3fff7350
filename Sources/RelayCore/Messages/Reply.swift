public import Foundation
public import HTTPArchive
import Synchronization

/// What a request gets: a response, or an error in its place, and how fast.
///
/// ```swift
/// interceptor.add(.stub("api.example.com/items", try .json(items)))
/// interceptor.add(.stub("api.example.com/**", .failure(.notConnectedToInternet)))
/// ```
public struct Reply: Sendable {
    /// The response, or the error that the request ends with.
    public var result: Result<InterceptedResponse, any Error>

    /// How fast it is delivered; at once by default.
    public var pace: Pace

    /// The number of bytes of the body after which the connection is lost; `nil`, the default, when it is not.
    public var cutOff: Int?

    /// What the request ends with after the response, for one that broke off when it was recorded.
    package var breakOff: URLError?

    /// Whether the response is the last one, though its status may be that of a redirect.
    package var isLast = false

    /// What was recorded of the time that it took, for an answer of an archive.
    var timings: HAR.Timings?

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - result: The response, or the error that the request ends with.
    ///   - pace: How fast it is delivered; at once by default.
    ///   - cutOff: The number of bytes of the body after which the connection is lost; `nil` by default.
    public init(_ result: Result<InterceptedResponse, any Error>, pace: Pace = Pace(), cutOff: Int? = nil) {
        self.result = result
        self.pace = pace
        self.cutOff = cutOff
    }
}

extension Reply {
    /// Returns the reply without the parts that a response to this request cannot have, and with the URL and the length
    /// that it has.
    ///
    /// - Parameter request: The request.
    /// - Returns: The reply. The length is that of the body, unless the headers name a content coding, the response broke
    ///   off when it was recorded, or it was recorded as its client saw it.
    func completed(for request: InterceptedRequest) -> Reply {
        var reply = self
        guard case .success(var response) = result else {
            reply.result = result.mapError { ($0 as? URLError)?.failing(at: request.url) ?? $0 }
            return reply
        }
        if response.url.isEmpty { response.url = request.url }
        if InterceptedResponse.canHaveBody(status: response.status, method: request.method) {
            if breakOff == nil, !isLast, !response.isEncoded { response.correctLength() }
        } else if !response.body.isEmpty {
            response.body = Data()
            // RFC 9110, section 8.6: to HEAD and with 304 the length is that of another answer, with 204 there is none.
            if response.status == 204 { response.headers.remove(named: ["content-length"]) }
        }
        reply.result = .success(response)
        return reply
    }
}

extension Reply {
    /// Whether all of it is delivered, and at once.
    var isImmediate: Bool { pace.isImmediate && cutOff == nil && breakOff == nil }

    /// The response as one that is at hand; `nil` for an error.
    var known: CachedResponse? { (try? result.get()).map(CachedResponse.init) }
}

// MARK: - Replies made by code

extension Reply {
    /// A response.
    ///
    /// - Parameter response: The response; an empty URL stands for that of the request.
    /// - Returns: The reply.
    public static func response(_ response: InterceptedResponse) -> Reply { Reply(.success(response)) }

    /// A response without a body.
    ///
    /// - Parameters:
    ///   - status: The status code, such as 204.
    ///   - headers: The header fields; none by default.
    /// - Returns: The reply.
    public static func status(_ status: Int, headers: [HeaderField] = []) -> Reply {
        response(InterceptedResponse(url: "", status: status, headers: headers))
    }

    /// A response with bytes.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: Its media type, which becomes the field `Content-Type`; `application/octet-stream` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: More header fields; none by default.
    /// - Returns: The reply.
    public static func data(
        _ body: Data, type: String = "application/octet-stream", status: Int = 200, headers: [HeaderField] = []
    ) -> Reply {
        let own = [("Content-Type", type), ("Content-Length", String(body.count))]
            .filter { headers.values(named: $0.0).isEmpty }
            .map { HeaderField(name: $0, value: $1) }
        return response(InterceptedResponse(url: "", status: status, headers: own + headers, body: body))
    }

    /// A response with text in UTF-8.
    ///
    /// - Parameters:
    ///   - text: The body.
    ///   - type: Its media type; `text/plain; charset=utf-8` by default.
    ///   - status: The status code; 200 by default.
    ///   - headers: More header fields; none by default.
    /// - Returns: The reply.
    public static func text(
        _ text: String, type: String = "text/plain; charset=utf-8", status: Int = 200, headers: [HeaderField] = []
    ) -> Reply {
        data(Data(text.utf8), type: type, status: status, headers: headers)
    }

    /// A response with a value as JSON.
    ///
    /// - Parameters:
    ///   - value: What is encoded.
    ///   - encoder: How it is encoded; the default way unless given.
    ///   - status: The status code; 200 by default.
    ///   - headers: More header fields; none by default.
    /// - Returns: The reply.
    /// - Throws: What encoding throws.
    public static func json(
        _ value: some Encodable, encoder: JSONEncoder = JSONEncoder(), status: Int = 200, headers: [HeaderField] = []
    ) throws -> Reply {
        data(try encoder.encode(value), type: "application/json", status: status, headers: headers)
    }

    /// A response with JSON.
    ///
    /// - Parameters:
    ///   - value: The body, such as `["name": "Ada", "age": 36]`.
    ///   - status: The status code; 200 by default.
    ///   - headers: More header fields; none by default.
    /// - Returns: The reply.
    public static func jsonValue(_ value: JSONValue, status: Int = 200, headers: [HeaderField] = []) -> Reply {
        data(value.data(), type: "application/json", status: status, headers: headers)
    }

    /// A redirect.
    ///
    /// - Parameters:
    ///   - location: Where to: an absolute URL, or one relative to that of the request.
    ///   - status: The status code; 302 by default.
    /// - Returns: The reply.
    public static func redirect(to location: String, status: Int = 302) -> Reply {
        self.status(status, headers: [HeaderField(name: "Location", value: location)])
    }

    /// An error in place of a response, as the network gives it.
    ///
    /// - Parameter code: The code, such as `.timedOut`, `.notConnectedToInternet`, `.networkConnectionLost` or
    ///   `.secureConnectionFailed`.
    /// - Returns: The reply.
    public static func failure(_ code: URLError.Code) -> Reply { error(URLError(byRule: code)) }

    /// An error in place of a response.
    ///
    /// - Parameter error: What the request's caller gets.
    /// - Returns: The reply.
    public static func error(_ error: any Error) -> Reply { Reply(.failure(error)) }

    /// This reply after a time.
    ///
    /// - Parameter delay: The time before the first byte, besides what there is already.
    /// - Returns: The slower reply.
    public func delayed(by delay: Duration) -> Reply {
        var reply = self
        reply.pace.delay += delay
        return reply
    }
}

extension URLError {
    /// The error of a request that a rule lets fail.
    init(byRule code: Code) {
        self.init(
            code,
            userInfo: [NSLocalizedDescriptionKey: "A rule lets this request fail (URLError code \(code.rawValue))."])
    }

    /// The error with the URL of its request, as live ones have it, unless there is one.
    func failing(at url: String) -> URLError {
        guard failingURL == nil, let url = URL(text: url) else { return self }
        return URLError(code, userInfo: userInfo.merging([NSURLErrorFailingURLErrorKey: url]) { $1 })
    }
}

/// A response that is at hand, with what the client's side made of it when it was given before.
package final class CachedResponse: Sendable {
    package let response: InterceptedResponse

    private let form = Mutex<(any Sendable)?>(nil)

    /// Holds a response.
    package init(_ response: InterceptedResponse) {
        self.response = response
    }

    /// What the client's side makes of the response, which it makes once.
    ///
    /// - Parameter make: Makes it; `nil` when that is not possible. It must give equal values always.
    /// - Returns: What was made now or before.
    package func form<Form: Sendable>(_ make: (InterceptedResponse) -> Form?) -> Form? {
        if let form = form.withLock({ $0 }) as? Form { return form }
        guard let made = make(response) else { return nil }
        form.withLock { $0 = made }
        return made
    }
}
