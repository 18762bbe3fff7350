/// Settings of a ``Turntable``.
public struct TurntableConfiguration {
    /// How the track is chosen that answers a request.
    public let matchingStrategy: MatchingStrategy

    /// What is recorded.
    public let recordingMode: RecordingMode

    /// Debug mode: is given, for each request, why each track matches it or does not; nobody by default.
    public var debugOutput: (@Sendable (String) -> Void)?

    /// Creates settings; by default tracks are played once, by method and URL, and a vinyl that does not exist is recorded.
    public init(
        matchingStrategy: MatchingStrategy = .requestAttributes(types: [.method, .url], playTracksUniquely: true),
        recordingMode: RecordingMode = .missingVinyl(recordingPath: nil)
    ) {
        self.matchingStrategy = matchingStrategy
        self.recordingMode = recordingMode
    }
}
