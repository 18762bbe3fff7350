import HTTPArchive

/// The settings of an interceptor that decide how a recording is written.
struct RecordingOrigin: Sendable {
    /// The settings of the recording.
    var settings = Interceptor.Recording()
}
