/// What is recorded, into a file or, where the path is `nil`, where vinyls are looked for.
public enum RecordingMode {
    /// Nothing.
    case none

    /// A vinyl that does not exist.
    case missingVinyl(recordingPath: String?)

    /// Tracks that a vinyl does not have, beside those that it has.
    case missingTracks(recordingPath: String?)
}
