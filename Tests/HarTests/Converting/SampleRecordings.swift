import Foundation

/// Recordings of other tools, shared with the tests of RecordingFormats.
enum SampleRecordings {
    /// The folder with one folder per format.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../RecordingFormatsTests/Recordings").standardizedFileURL

    /// The path of a recording.
    static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}
