import RelayCore
import RelayURLSession
/// Where recordings are, and whether they are made.
public struct RecordingConfig: Sendable {
    /// A file; recordings are in the folder `__RelayRecords__` beside it.
    public var rootPath: String

    /// The name of the folder in it, from which `()` is taken away.
    public var subfolder: String

    /// Whether requests go to the network and are recorded, rather than replayed.
    public var enableRecording: Bool

    /// What the folder holds.
    public var layout: RecordingLayout

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - rootPath: A file beside which recordings are; the calling one by default.
    ///   - subfolder: The name of their folder; by default that of the calling function.
    ///   - enableRecording: Whether recordings are made; `false` by default, which replays.
    ///   - layout: What the folder holds; one archive by default.
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
