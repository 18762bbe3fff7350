import Foundation
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The way a turntable chooses the track for a request.
public enum MatchingStrategy {
    /// The first track that has all of these attributes in common with the request. Unless tracks are played uniquely,
    /// a track may be played any number of times.
    case requestAttributes(types: [RequestMatcherType], playTracksUniquely: Bool)

    /// The next track, regardless of the request.
    case trackOrder

    /// Whether each track is played at most once.
    var playsTracksUniquely: Bool {
        if case .requestAttributes(_, let isUnique) = self { isUnique } else { true }
    }

    /// The equivalent setting of an interceptor.
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
                // As in Vinyl, custom matchers are called on any thread. Their author ensures that this is safe.
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
