import RelayCore
import RelayURLSession
/// The location of recordings, and whether requests are recorded.
public struct RecordingConfig: Sendable {
    /// The path of the file next to the folder `__RelayRecords__`, which contains recordings.
    public var rootPath: String

    /// The name of the subfolder, from which `()` is removed.
    public var subfolder: String

    /// Whether requests are sent to the network and recorded, rather than replayed.
    public var enableRecording: Bool

    /// The files in the folder.
    public var layout: RecordingLayout

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - rootPath: The path of the file next to the folder `__RelayRecords__`; the calling file by default.
    ///   - subfolder: The name of the subfolder; the name of the calling function by default.
    ///   - enableRecording: Whether requests are recorded; `false` by default, which replays.
    ///   - layout: The files in the folder; a single archive by default.
    public init(
        rootPath: String = #filePath, subfolder: String = #function, enableRecording: Bool = false,
        layout: RecordingLayout = .archive
    ) {
        self.rootPath = rootPath
        self.subfolder = subfolder
        self.enableRecording = enableRecording
        self.layout = layout
    }
}
