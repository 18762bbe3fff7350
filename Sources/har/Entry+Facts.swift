import Foundation
import HTTPArchive
import Relay

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
