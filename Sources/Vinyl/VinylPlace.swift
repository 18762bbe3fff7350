import Foundation
import HTTPArchive
import Relay

/// The files that a vinyl is read from and recorded into.
struct VinylPlace {
    /// The file to read, or `nil` if it does not exist.
    let source: URL?

    /// The file to record into, or `nil` if the vinyl is not recorded.
    let target: URL?

    /// Finds a vinyl by its name without an extension.
    ///
    /// If `bundle` is `nil`, the resources of the test bundle are searched.
    init(of name: String, in bundle: Bundle?, for mode: RecordingMode) throws(HARError) {
        let files = TestResources.folders(in: bundle).flatMap { folder in
            ["har", "json"].map { folder.appendingPathComponent("\(name).\($0)") }
        }
        let found = files.first(where: Self.exists)
        switch mode {
        case .none:
            (source, target) = (found, nil)
        case .missingVinyl(let path):
            let file = path.map { URL(fileURLWithPath: $0) } ?? files[0]
            source = found ?? (Self.exists(file) ? file : nil)
            target = source == nil ? file : nil
        case .missingTracks(let path):
            let beside = found?.deletingPathExtension().appendingPathExtension("har")
            let file = path.map { URL(fileURLWithPath: $0) } ?? beside ?? files[0]
            source = Self.exists(file) ? file : found
            target = file
        }
        guard source == nil, target == nil else { return }
        throw HARError(
            .unreadableFile,
            "The vinyl '\(name).har' or '\(name).json' does not exist. Pass the bundle that contains it, or set a recording mode."
        )
    }

    private static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
