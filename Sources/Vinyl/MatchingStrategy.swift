import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How the track is chosen that answers a request.
public enum MatchingStrategy {
    /// The first track that has all of these in common with the request; unless tracks are played uniquely, again and again.
    case requestAttributes(types: [RequestMatcherType], playTracksUniquely: Bool)

    /// The next track, whatever the request is.
    case trackOrder

    /// Whether no track is played twice.
    var playsTracksUniquely: Bool {
        if case .requestAttributes(_, let isUnique) = self { isUnique } else { true }
    }

    /// The same for an interceptor.
    var matching: RequestMatching {
        guard case .requestAttributes(let types, let isUnique) = self else { return .recordedOrder }
        var matching = RequestMatching(required: [], repetition: isUnique ? .once : .first)
        for type in types {
            switch type {
            case .method: matching.required.append(.method)
            case .url: matching.required.append(.url)
            case .host: matching.required.append(.host)
            case .path: matching.required.append(.path)
            case .query: matching.required.append(.query)
            case .headers: matching.required.append(.headers(ignoring: [], ignoringCase: true))
            case .body: matching.required.append(.body)
            case .custom(let matcher):
                // The one who wrote it knows on which threads it may be called: as before, on any.
                nonisolated(unsafe) let matcher = matcher
                matching.required.append(
                    .custom("custom") { asked, recorded in
                        guard let lhs = Request(asked), var rhs = Request(recorded) else { return .mismatch("url") }
                        if rhs.httpBody?.isEmpty == true { rhs.httpBody = nil }
                        return matcher.match(lhs: lhs, rhs: rhs) ? .match : .mismatch("custom matcher")
                    })
            }
        }
        return matching
    }
}
