import Foundation
import HTTPArchive
import Relay

/// The file that a vinyl is read from, and the one that it is recorded into.
struct VinylPlace {
    /// Where the vinyl is; `nil` when it does not exist.
    let source: URL?

    /// Where it is recorded; `nil` when it is not.
    let target: URL?

    /// Finds the vinyl of a name, without an extension, among the resources of a bundle; of that of the tests when `nil`.
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
            "There is no vinyl '\(name).har' or '\(name).json'; give the bundle that has it, or a mode that records it."
        )
    }

    private static func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }
}
