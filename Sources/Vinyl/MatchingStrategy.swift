import Relay

/// The way a turntable chooses the track for a request.
public enum MatchingStrategy {
    /// The first track that matches the request in all of these attributes. Unless tracks are played uniquely, a track
    /// can be played any number of times.
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
        return RequestMatching(requiring: types, repetition: isUnique ? .once : .first)
    }
}
