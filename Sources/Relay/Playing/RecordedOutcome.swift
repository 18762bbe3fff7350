package import Foundation
package import HTTPArchive

/// What an entry gives the client that asks for it.
package enum RecordedOutcome: Sendable {
    /// An answer.
    case response(InterceptedResponse)

    /// The failure that was recorded.
    case failure(URLError)

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
        of entry: HAR.Entry, for request: InterceptedRequest, folder: URL?, allowsMissingBody: Bool
    ) {
        let response = entry.response
        if let text = entry.failure {
            self = .failure(RecordedFailure.error(text, url: request.url))
            return
        }
        guard (200...599).contains(response.status) else {
            self = .notReplayable(
                HARError(.entryNotReplayable, "Its status is \(response.status), which is no final answer of HTTP."))
            return
        }
        guard InterceptedResponse.canHaveBody(status: response.status, method: request.method) else {
            self = .response(InterceptedResponse(response, to: request, body: Data()))
            return
        }
        do throws(HARError) {
            let data =
                if let folder { try response.bodyData(besideArchiveIn: folder) } else { response.body.data }
            let mayLack = allowsMissingBody || InterceptedResponse.isRedirect(response.status)
            guard let data = data ?? (mayLack ? Data() : nil) else {
                throw HARError(
                    .bodyNotCaptured,
                    """
                    The archive does not have the body of the answer. Capture it again with content, or allow missing \
                    bodies to be delivered as empty ones.
                    """)
            }
            self = .response(InterceptedResponse(response, to: request, body: data))
        } catch {
            self = .notReplayable(error)
        }
    }
}

extension RecordedFailure {
    /// The error that a live request would have ended with.
    static func error(_ text: String, url: String) -> URLError {
        var information: [String: any Sendable] = [NSLocalizedDescriptionKey: "Recorded failure: \(text)"]
        if let url = URL(text: url) { information[NSURLErrorFailingURLErrorKey] = url }
        return URLError(code(for: text), userInfo: information)
    }
}
