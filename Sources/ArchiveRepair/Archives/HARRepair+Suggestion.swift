package import Foundation
import HTTPArchive

extension HARRepair {
    /// The number of bytes at the start of a file that are searched.
    private static let searchedSize = 1 << 16

    /// Returns whether the start of a file that cannot be read contains names of an archive.
    ///
    /// - Parameter url: The file.
    /// - Returns: Whether it is useful to try a repair; `false` for a pipe.
    package static func mayRepair(_ url: URL) -> Bool {
        let sizeLimit = CompressionFormats.defaultSizeLimit
        let file = try? InputFile(url: url, waitsForWriter: false, decompressedSizeLimit: sizeLimit)
        guard let file, file.size != nil else { return false }
        return withUnsafeTemporaryAllocation(byteCount: searchedSize, alignment: 1) { buffer in
            guard let text = try? file.read(into: buffer) else { return false }
            let name = #/\b(?:entries|startedDateTime)["'`”’\\]*\s*:/#
            return String(decoding: text, as: UTF8.self).contains(name)
        }
    }
}
