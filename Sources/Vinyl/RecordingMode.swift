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
