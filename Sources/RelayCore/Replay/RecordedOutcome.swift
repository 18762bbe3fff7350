package import Foundation
package import HTTPArchive

/// What an entry gives the client that asks for it.
package enum RecordedOutcome: Sendable {
    /// An answer.
    case response(InterceptedResponse)

    /// The failure that was recorded.
    case failure(URLError)

    /// The part of an answer that came before it broke off, and the failure that it ends with.
    case brokenOff(InterceptedResponse, URLError)

    /// Nothing, for the reason given: the entry does not hold what an answer needs.
    case notReplayable(HARError)
}

extension RecordedOutcome {
    /// The outcome of an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - request: The request that it answers.
    ///   - folder: The folder of the archive, for bodies in files of their own.
    ///   - allowsMissingBody: Whether a body that was not captured is delivered as an empty one.
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
                HARError(.entryNotReplayable, "Its status is \(response.status), which is no final answer of HTTP."))
            return
        }
        guard InterceptedResponse.canHaveBody(status: response.status, method: request.method) else {
            self = .response(Self.answer(response, to: request, body: Data()))
            return
        }
        do throws(HARError) {
            let data = try Self.body(of: response, folder: folder)
            let mayLack = allowsMissingBody || InterceptedResponse.isRedirect(response.status)
            guard let data = data ?? (mayLack ? Data() : nil) else {
                throw HARError(
                    .bodyNotCaptured,
                    """
                    The archive does not have the body of the answer. Capture it again with content, or allow missing \
                    bodies to be delivered as empty ones.
                    """)
            }
            self = .response(Self.answer(response, to: request, body: data))
        } catch {
            self = .notReplayable(error)
        }
    }

    private static func answer(
        _ response: HAR.Response, to request: InterceptedRequest, body: Data
    ) -> InterceptedResponse {
        response.clientURL.map { InterceptedResponse(response, seenAt: $0, body: body) }
            ?? InterceptedResponse(response, to: request, body: body)
    }

    private static func body(of response: HAR.Response, folder: HAR.BodyFolder?) throws(HARError) -> Data? {
        guard let folder else { return response.body.data }
        return try response.bodyData(in: folder)
    }

    /// What came of an answer that broke off; `nil` when nothing did, and when the archive does not have it.
    ///
    /// A redirect is followed once its head is there: where it goes would hide that it failed.
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
    /// The error that a live request would have ended with.
    ///
    /// - Parameters:
    ///   - text: The failure in the words of a tool.
    ///   - number: The number of the code where the tool has noted it; `nil` where the words have to tell.
    ///   - url: What was asked.
    /// - Returns: The error, with the words of the tool.
    static func error(_ text: String, code number: Int? = nil, url: String) -> URLError {
        let code = number.flatMap { URLError.Code(rawValue: $0) } ?? code(for: text)
        var information: [String: any Sendable] = [NSLocalizedDescriptionKey: "Recorded failure: \(text)"]
        if let url = URL(text: url) { information[NSURLErrorFailingURLErrorKey] = url }
        return URLError(code, userInfo: information)
    }
}
