internal import HTTPArchive

/// Archives that are compressed with Zstandard, Brotli, xz, bzip2 or LZ4, or stored in a zip file.
///
/// The module `HTTPArchive` reads and writes gzip files without this module.
///
/// ```swift
/// CompressedArchives.enable()
/// let archive = try HARArchive(contentsOf: URL(fileURLWithPath: "capture.zip"))
/// ```
///
/// The format is recognized by the first bytes of a file, and Brotli by the extension `br`. New files are compressed if
/// their names end with `.zst`, `.br`, `.xz`, `.bz2`, `.lz4` or `.zip`.
///
/// The archive in a zip file is the only file in it whose name ends with `.har`. If there are several, the path names
/// one: `captures.zip:shop.har`. Body files are read from the same zip file and never from the file system, so zip files
/// by Playwright can be replayed. Nothing is extracted to a path that the zip file specifies.
public enum CompressedArchives {
    /// Makes the formats available to everything in the process that reads or writes archives.
    ///
    /// Call this function before opening an archive. Later calls have no effect.
    public static func enable() {
        CompressionFormats.register([
            StreamFormat.zstandard, StreamFormat.xz, StreamFormat.bzip2, StreamFormat.lz4, ZIPFormat(), BrotliFormat(),
        ])
    }
}
