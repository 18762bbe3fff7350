package import Foundation
package import HTTPArchive

/// The outcome of a request that is answered by an entry.
package enum RecordedOutcome: Sendable {
    /// A complete response.
    case response(InterceptedResponse)

    /// A recorded error.
    case failure(URLError)

    /// A truncated response, and the error that follows it.
    case brokenOff(InterceptedResponse, URLError)

    /// The reason why the entry cannot be replayed.
    case notReplayable(HARError)
}

extension RecordedOutcome {
    /// Creates the outcome of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - request: The request to answer.
    ///   - folder: The directory of the archive, which contains attached bodies.
    ///   - allowsMissingBody: Whether a missing body is replaced by an empty one.
    package init(
        of entry: HAR.Entry, for request: InterceptedRequest, folder: HAR.BodyFolder?, allowsMissingBody: Bool
    ) {
        let response = entry.response
        if let text = entry.failure {
            let error = RecordedFailure.error(text, code: response[RecordedFailure.codeField]?.int, url: request.url)
            self = Self.part(of: response, to: request, folder: folder).map { .brokenOff($0, error) } ?? .failure(error)
            return
        }
        guard (200...599).contains(response.status) else {
            self = .notReplayable(
                HARError(
                    .entryNotReplayable, "Its status \(response.status) is not a final status of HTTP (200 to 599)."))
            return
        }
        guard InterceptedResponse.canHaveBody(status: response.status, method: request.method) else {
            self = .response(Self.interceptedResponse(response, to: request, body: Data()))
            return
        }
        do throws(HARError) {
            let data = try Self.body(of: response, folder: folder)
            let mayLack = allowsMissingBody || InterceptedResponse.isRedirect(response.status)
            guard let data = data ?? (mayLack ? Data() : nil) else {
                throw HARError(
                    .bodyNotCaptured,
                    """
                    The archive does not contain the body of the response. Capture it again with content, or set \
                    `deliversMissingBodiesAsEmpty` in the configuration.
                    """)
            }
            self = .response(Self.interceptedResponse(response, to: request, body: data))
        } catch {
            self = .notReplayable(error)
        }
    }

    private static func interceptedResponse(
        _ response: HAR.Response, to request: InterceptedRequest, body: Data
    ) -> InterceptedResponse {
        response.clientURL.map { InterceptedResponse(response, seenAt: $0, body: body) }
            ?? InterceptedResponse(response, to: request, body: body)
    }

    private static func body(of response: HAR.Response, folder: HAR.BodyFolder?) throws(HARError) -> Data? {
        guard let folder else { return response.body.data }
        return try response.bodyData(in: folder)
    }

    /// Returns the received part of a truncated response, or `nil` if nothing was received or recorded.
    ///
    /// Redirects have no such part: clients would follow them as soon as the head arrives, which would hide the error.
    private static func part(
        of response: HAR.Response, to request: InterceptedRequest, folder: HAR.BodyFolder?
    ) -> InterceptedResponse? {
        guard (200...599).contains(response.status), !InterceptedResponse.isRedirect(response.status),
            InterceptedResponse.canHaveBody(status: response.status, method: request.method),
            let data = try? body(of: response, folder: folder)
        else { return nil }
        return InterceptedResponse(response, to: request, body: data, isWhole: false)
    }
}

extension RecordedFailure {
    /// Returns the error that a live request would have failed with.
    ///
    /// - Parameters:
    ///   - text: The error text recorded by a tool.
    ///   - number: The recorded error code; `nil` to derive it from the text.
    ///   - url: The URL of the request.
    /// - Returns: The error, whose description contains the text.
    static func error(_ text: String, code number: Int? = nil, url: String) -> URLError {
        let code = number.flatMap { URLError.Code(rawValue: $0) } ?? code(for: text)
        var information: [String: any Sendable] = [NSLocalizedDescriptionKey: "Recorded failure: \(text)"]
        if let url = URL(text: url) { information[NSURLErrorFailingURLErrorKey] = url }
        return URLError(code, userInfo: information)
    }
}
