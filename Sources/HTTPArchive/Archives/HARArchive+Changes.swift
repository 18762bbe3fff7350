package import Foundation

extension HARArchive {
    /// Whether the file is surely what it was when it was opened, by its size and time.
    ///
    /// It is not sure of what is no file, nor of one that was changed just before it was opened, for its time would not tell
    /// the next change.
    package var isUnchanged: Bool {
        guard let stamp, stamp.isSettled(at: opened) else { return false }
        return (try? InputFile(url: url, waitsForWriter: false))?.stamp == stamp
    }

    /// What tells the archive from others by its size and by samples of what it holds, wherever and when it was written.
    ///
    /// A change in the middle of a large archive that leaves its size as it was may not show.
    ///
    /// - Returns: `nil` for what is no file, or cannot be read any more.
    package var fingerprint: String? { stamp.flatMap { try? file.fingerprintText(size: $0.size) } }

    /// The ``fingerprint`` of a file.
    ///
    /// - Parameter url: The file.
    /// - Returns: `nil` for what is no file.
    /// - Throws: `unreadableFile`.
    package static func fingerprint(of url: URL) throws(HARError) -> String? {
        let file = try InputFile(url: url, waitsForWriter: false)
        guard let stamp = file.stamp else { return nil }
        return try file.fingerprintText(size: stamp.size)
    }
}

extension InputFile {
    fileprivate func fingerprintText(size: Int) throws(HARError) -> String {
        "\(size)-" + String(try fingerprint(size: size), radix: 16)
    }
}
