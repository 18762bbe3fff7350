import HTTPArchive

/// The settings of an interceptor that decide what a recording replaces, and how it is written.
struct RecordingOrigin: Sendable {
    /// The settings of the recording.
    var settings = Interceptor.Recording()

    /// The matching by which the archive is replayed.
    var matching = RequestMatching.standard

    /// Whether other recordings have the same page, as those of the cases of a parameterized test do.
    var sharesPage = false
}
