import Foundation
import HTTPArchive

/// A new file for text that cannot be repaired.
struct BrokenTextFile {
    let url: URL

    /// Throws if the file exists.
    ///
    /// - Throws: `unwritableFile`.
    func requireAbsent() throws(HARError) {
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) == nil else {
            throw HARError(
                .unwritableFile, "The file for broken entries already exists. Move or delete it first.",
                at: .init(file: url.relativePath))
        }
    }

    /// Writes ranges of an archive to the file, which only the user can read, each followed by a line break.
    ///
    /// - Throws: `unwritableFile`; `unreadableFile`.
    func write(_ parts: [Range<Int>], of input: InputFile) throws(HARError) {
        var settings = OutputFile.Settings()
        settings.isPrivate = true
        settings.replacesFile = false
        // The rewritten archive lacks these ranges, so they must be on disk before it replaces the original.
        settings.isSynchronized = true
        let output = try OutputFile(url: url, settings: settings)
        for part in parts {
            try output.copy(part, of: input)
            try output.write(Array("\n".utf8))
        }
        try output.finish()
    }
}
