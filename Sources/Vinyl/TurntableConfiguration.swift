/// Settings of a ``Turntable``.
public struct TurntableConfiguration {
    /// The way a turntable chooses the track for a request.
    public let matchingStrategy: MatchingStrategy

    /// The requests that are recorded, and the file that they are written to.
    public let recordingMode: RecordingMode

    /// Receives, for each request, the reasons why each track matches it or not; `nil` by default.
    public var debugOutput: (@Sendable (String) -> Void)?

    /// Creates settings.
    ///
    /// By default, tracks are matched by method and URL and played once, and a vinyl that does not exist is recorded.
    public init(
        matchingStrategy: MatchingStrategy = .requestAttributes(types: [.method, .url], playTracksUniquely: true),
        recordingMode: RecordingMode = .missingVinyl(recordingPath: nil)
    ) {
        self.matchingStrategy = matchingStrategy
        self.recordingMode = recordingMode
    }
}
