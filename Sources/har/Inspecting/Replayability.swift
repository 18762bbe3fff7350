import Foundation
import HTTPArchive
import Relay

/// What replaying an entry gives.
enum Replayability {
    /// An answer.
    case answer

    /// The failure that was recorded.
    case failure(String)

    /// Nothing, for a reason.
    case impossible(String)

    /// Tells it from an entry.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - folder: Where bodies in files of their own are.
    init(of entry: HAR.Entry, folder: HAR.BodyFolder) {
        let request = entry.request
        if let reason = request.reasonNotToAsk {
            self = .impossible(reason)
            return
        }
        let asked = InterceptedRequest(method: request.method, url: request.url)
        switch RecordedOutcome(of: entry, for: asked, folder: folder, allowsMissingBody: false) {
        case .response: self = .answer
        case .failure(let error), .brokenOff(_, let error): self = .failure(error.recordedText)
        case .notReplayable(let error): self = .impossible(error.reason)
        }
    }
}

extension HAR.Request {
    /// Why no session could make the request; `nil` when one can.
    var reasonNotToAsk: String? {
        let scheme = url.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }.lowercased()
        guard !scheme.isEmpty, url.utf8.dropFirst(scheme.utf8.count).first == UInt8(ascii: ":") else {
            return "the URL is not absolute"
        }
        guard ["http", "https"].contains(scheme) else { return "the URL is \(scheme):, neither http: nor https:" }
        guard NormalizedURL(url).isHTTP, let parsed = URL(text: url) else { return "the URL is malformed" }
        guard parsed.host()?.isEmpty == false else { return "the URL has no host" }
        return method.isEmpty ? "the method is missing" : nil
    }
}

extension HARError {
    /// The reason of an entry that cannot be replayed, short and the same for all entries that have it.
    var reason: String {
        switch code {
        case .bodyNotCaptured: "the body was not captured"
        case .unreadableFile: "the file of the body cannot be read"
        default: "the status is no final answer of HTTP"
        }
    }
}

extension URLError {
    /// The failure in the words of the archive.
    var recordedText: String {
        let text = userInfo[NSLocalizedDescriptionKey] as? String ?? "error \(code.rawValue)"
        return String(text.trimmingPrefix("Recorded failure: "))
    }
}

extension HAR.Entry {
    /// The media type of the answer without parameters; `nil` when it is unknown.
    var mediaType: String? { response.mediaType?.essence }

    /// The number of bytes of the answer's body without content codings; `nil` when it is unknown.
    var responseSize: Int? { response.decodedBodySize }

    /// The host that was asked, with its port where that is not the usual one; `nil` for a URL without one.
    var host: String? { NormalizedURL(request.url).host }
}

extension HAREntryFacts {
    /// The host that was asked, with its port where that is not the usual one; `nil` for a URL without one.
    var host: String? { NormalizedURL(url).host }
}

extension NormalizedURL {
    /// The host, with its port where that is not the usual one; `nil` for a URL without one.
    fileprivate var host: String? {
        guard let authority = origin.firstRange(of: "://")?.upperBound, authority < origin.endIndex else { return nil }
        return String(origin[authority...])
    }
}
