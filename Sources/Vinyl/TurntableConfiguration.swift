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
