package import Foundation
package import HTTPArchive
import RelayCore

/// The result of replaying an entry.
package enum Replayability {
    /// A response.
    case response

    /// The recorded failure.
    case failure(String)

    /// The entry cannot be replayed, for the given reason.
    case notReplayable(String)

    /// Determines the result of replaying an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - folder: The folder with the archive's body files.
    package init(of entry: HAR.Entry, folder: HAR.BodyFolder) {
        let request = entry.request
        if let reason = request.unsupportedReason {
            self = .notReplayable(reason)
            return
        }
        let live = InterceptedRequest(method: request.method, url: request.url)
        do throws(HARError) {
            let reply = try Reply(of: entry, to: live, in: folder, allowsMissingBody: false)
            self = reply.recordedFailure.map { .failure(MessageRedactor.standard.text($0.recordedText)) } ?? .response
        } catch {
            self = .notReplayable(error.reason)
        }
    }
}

extension HAR.Request {
    /// The reason why URLSession cannot send the request, or `nil` if it can.
    package var unsupportedReason: String? { unsupportedReason(at: URL(text: url)) }

    /// Returns the reason why the request cannot be sent, or nil if it can be sent.
    ///
    /// - Parameter parsed: The URL of the request, or nil if it is malformed.
    /// - Returns: The reason.
    package func unsupportedReason(at parsed: URL?) -> String? {
        if let unreplayedReason { return HARError(.entryNotReplayable, unreplayedReason).reason }
        guard let scheme = LiteralURL.scheme(of: url)?.lowercased() else { return "the URL is not absolute" }
        guard ["http", "https"].contains(scheme) else { return "the scheme is \(scheme), not http or https" }
        guard NormalizedURL(url).isHTTP, let parsed else { return "the URL is malformed" }
        guard parsed.host()?.isEmpty == false else { return "the URL has no host" }
        return method.isEmpty ? "the method is missing" : nil
    }
}

extension HARError {
    /// The reason why an entry cannot be replayed, without the details that would prevent grouping.
    var reason: String {
        switch code {
        case .bodyNotCaptured: "the body was not captured"
        case .unreadableFile: "the body file cannot be read"
        // For example, "The status 1000 is not a final HTTP status (200 to 999)."
        // The name of a method is not changed.
        default:
            message.dropFirst().first?.isUppercase == true
                ? String(firstSentence) : firstSentence.prefix(1).lowercased() + firstSentence.dropFirst()
        }
    }

    /// The first sentence of the message, without its full stop.
    private var firstSentence: Substring {
        if let end = message.firstRange(of: ". ") { return message[..<end.lowerBound] }
        return message.hasSuffix(".") ? message.dropLast() : message[...]
    }
}

extension URLError {
    /// The text of the recorded failure.
    package var recordedText: String {
        let text = userInfo[NSLocalizedDescriptionKey] as? String ?? "error \(code.rawValue)"
        return String(text.trimmingPrefix("Recorded failure: "))
    }
}
