import Relay

/// Settings of a ``Turntable``.
public struct TurntableConfiguration {
    /// The way a turntable chooses the track for a request.
    public let matchingStrategy: MatchingStrategy

    /// The requests to record, and the file to write them to.
    public let recordingMode: RecordingMode

    /// A closure that receives, for each request, an explanation of why each track does or does not match; `nil` by
    /// default.
    public var debugOutput: (@Sendable (String) -> Void)?

    /// Creates settings.
    ///
    /// By default, tracks are matched by method and URL, each track is played once, and a missing vinyl is recorded.
    public init(
        matchingStrategy: MatchingStrategy = .requestAttributes(types: [.method, .url], playTracksUniquely: true),
        recordingMode: RecordingMode = .missingVinyl(recordingPath: nil)
    ) {
        self.matchingStrategy = matchingStrategy
        self.recordingMode = recordingMode
    }
}

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

/// The requests to record, and the file to write them to.
///
/// If `recordingPath` is `nil`, the file is in the folder that is searched for vinyls.
public enum RecordingMode {
    /// Records nothing.
    case none

    /// Records a vinyl that does not exist yet.
    case missingVinyl(recordingPath: String?)

    /// Adds missing tracks to a vinyl.
    case missingTracks(recordingPath: String?)
}
