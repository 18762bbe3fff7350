import Foundation

/// Recordings made by other tools, shared with the tests of RecordingFormats.
enum SampleRecordings {
    /// The folder that contains one folder per format.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../RecordingFormatsTests/Recordings").standardizedFileURL

    /// Returns the path of a recording.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
