import Foundation

/// Recordings of other tools, which the tests of the formats have.
enum SampleRecordings {
    /// The folder with a folder for each kind.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../RecordingFormatsTests/Recordings").standardizedFileURL

    /// The path of a recording.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
