import Foundation
import FoundationNetworking
import Relay

/// The outcome of comparing the result of a request with the expected result.
enum Verdict: Sendable {
    /// The expected response arrived.
    case received

    /// The expected error arrived.
    case failed

    /// The request ended because it was canceled.
    case canceled

    /// The request ended because its interceptor was stopped.
    case stopped

    /// Anything else, with a description.
    case wrong(String)
}

/// The expected result of a request.
enum Expectation: Sendable {
    case message(Message)

    case failure(URLError.Code)

    case miss
}

extension Call {
    /// Compares a result with the expected result.
    ///
    /// - Parameters:
    ///   - result: The result of the call.
    ///   - expectation: The expected result.
    ///   - mayBeStopped: Whether the interceptor can be stopped during the request; `false` by default.
    /// - Returns: The verdict.
    func verdict(
        on result: Result<(Data, HTTPURLResponse), any Error>, expecting expectation: Expectation,
        mayBeStopped: Bool = false
    ) -> Verdict {
        switch result {
        case .success(let (body, head)):
            guard case .message(let message) = expectation else {
                return .wrong("a response with status \(head.statusCode) and \(body.count) bytes")
            }
            let number = head.value(forHTTPHeaderField: Message.field)
            if head.statusCode != message.status { return .wrong("status \(head.statusCode)") }
            if number != String(message.number) { return .wrong("\(Message.field): \(number ?? "missing")") }
            if body != message.body { return .wrong("a body of \(body.count) bytes: \(Self.excerpt(of: body))") }
            return .received
        case .failure(let error):
            if cancellation.isPossible, (error as? URLError)?.code == .cancelled { return .canceled }
            if mayBeStopped, (error as? RelayError)?.code == .interceptorGone { return .stopped }
            switch expectation {
            case .failure(let code): if (error as? URLError)?.code == code { return .failed }
            case .miss: if (error as? RelayError)?.code == .noMatchingEntry { return .failed }
            case .message: break
            }
            return .wrong("the error \(String("\(error)".prefix(300)))")
        }
    }

    static func excerpt(of body: Data) -> String { String(decoding: body.prefix(60), as: UTF8.self) }
}
