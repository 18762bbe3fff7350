package import Foundation
import Synchronization

/// A format in which whole archives are stored, such as gzip or zip.
package protocol CompressionFormat: Sendable {
    /// The name of the format in messages, such as `Zstandard`.
    var name: String { get }

    /// The extension of file names in this format, in lower case and without the dot.
    var fileExtension: String { get }

    /// Whether a file in this format can contain several files.
    var storesSeveralFiles: Bool { get }

    /// Returns whether a file has this format.
    ///
    /// - Parameters:
    ///   - start: The first bytes of the file, at most ``CompressionFormats/signatureSize``.
    ///   - fileName: The name of the file.
    /// - Returns: Whether the file has this format.
    func recognizes(_ start: UnsafeRawBufferPointer, fileName: String) -> Bool

    /// Returns an object that decompresses an archive.
    ///
    /// - Parameter source: The compressed archive.
    /// - Returns: The object. Errors in the data are thrown when it is read.
    func decompressor(of source: CompressedSource) -> any Decompressor

    /// Returns an object that compresses an archive.
    ///
    /// - Parameter fileName: The name of the compressed file.
    /// - Returns: The object.
    func compressor(fileName: String) -> any Compressor

    /// Returns the files that are stored together with an archive.
    ///
    /// - Parameter source: The file that contains the archive.
    /// - Returns: The files, or nil if the format stores a single file.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    func members(of source: CompressedSource) throws(HARError) -> (any MemberStore)?
}

extension CompressionFormat {
    package var storesSeveralFiles: Bool { false }

    package func members(of source: CompressedSource) throws(HARError) -> (any MemberStore)? { nil }
}

/// Decompresses an archive from start to end.
///
/// An object must not be used by several threads at the same time.
package protocol Decompressor: AnyObject, Sendable {
    /// Decompresses the next bytes.
    ///
    /// - Parameter buffer: The buffer for the decompressed bytes.
    /// - Returns: The number of decompressed bytes; 0 at the end of the archive.
    /// - Throws: `unreadableFile` for invalid or truncated data; `limitExceeded`.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(HARError) -> Int
}

/// Compresses an archive from start to end.
package protocol Compressor: AnyObject {
    /// Compresses bytes.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isLast: Whether the archive ends after these bytes.
    ///   - write: A closure that writes compressed bytes.
    /// - Throws: `unwritableFile` if memory is exhausted; the errors of `write`.
    func write(
        _ bytes: UnsafeRawBufferPointer, isLast: Bool, to write: (UnsafeRawBufferPointer) throws(HARError) -> Void
    ) throws(HARError)
}

/// The files that are stored together with an archive in one file.
package protocol MemberStore: Sendable {
    /// Returns the content of a file.
    ///
    /// - Parameters:
    ///   - name: The name of the file, relative to the archive.
    ///   - sizeLimit: The maximum size, in bytes.
    /// - Returns: The content, or nil if no file has the name.
    /// - Throws: `unreadableFile`, or `limitExceeded` if the file is too large.
    func content(of name: String, sizeLimit: Int) throws(HARError) -> Data?
}

/// The formats in which archives can be read and written.
package enum CompressionFormats {
    /// The number of bytes that are enough to recognize all formats.
    static let signatureSize = 8

    /// The default maximum size of an archive after decompression, in bytes: 10 GB, or less on a 32-bit watch.
    package static let defaultSizeLimit = Int(clamping: 10_000_000_000 as Int64)

    private static let registered = Mutex<[any CompressionFormat]>([GzipFormat()])

    /// The extensions of formats that the module `CompressedArchives` adds.
    private static let optional = ["zst", "br", "xz", "zip", "bz2", "lz4"]

    /// The extensions of all formats.
    package static let extensions = ["gz"] + optional

    /// Adds formats, unless they were already added.
    ///
    /// - Parameter formats: The formats.
    package static func register(_ formats: [any CompressionFormat]) {
        registered.withLock { registered in
            for format in formats where !registered.contains(where: { $0.name == format.name }) {
                registered.append(format)
            }
        }
    }

    /// All formats that were added, and gzip.
    static var all: [any CompressionFormat] { registered.withLock { $0 } }

    /// Returns the format of a file, or nil if the file is not compressed.
    static func format(of start: UnsafeRawBufferPointer, fileName: String) -> (any CompressionFormat)? {
        all.first { $0.recognizes(start, fileName: fileName) }
    }

    /// Returns the format in which a new file is written, or nil if its name does not request compression.
    ///
    /// - Throws: `unwritableFile` if the name requests a format that was not added.
    static func format(writing url: URL) throws(HARError) -> (any CompressionFormat)? {
        let name = url.pathExtension.lowercased()
        if let format = all.first(where: { $0.fileExtension == name }) { return format }
        guard optional.contains(name) else { return nil }
        throw .unwritable(
            url.path,
            "The extension '\(name)' requests compression, which needs the module CompressedArchives. Call "
                + "CompressedArchives.enable(), or choose a name that ends with '.har' or '.gz'.")
    }

    /// Returns whether a new file with this name stores several files, like a zip file.
    ///
    /// - Parameter url: The file.
    /// - Returns: Whether it does; false if its format was not added.
    package static func storesSeveralFiles(_ url: URL) -> Bool {
        (try? format(writing: url))?.storesSeveralFiles ?? false
    }

    /// Returns whether a file name has the extension of an archive, as in `shop.har` or `shop.har.gz`.
    ///
    /// - Parameter fileName: The name.
    /// - Returns: Whether it ends with `.har`, or with `.har` and the extension of a compression format.
    package static func isArchiveName(_ fileName: String) -> Bool {
        contentExtension(of: URL(fileURLWithPath: fileName)) == "har"
    }

    /// Returns the extension of a file name in lowercase, without the extension of a compression format: `json` for
    /// `shop.json.gz`.
    ///
    /// - Parameter url: The file.
    /// - Returns: The extension; empty if the name has no extension.
    package static func contentExtension(of url: URL) -> String {
        (compresses(url) ? url.deletingPathExtension() : url).pathExtension.lowercased()
    }

    /// Returns whether a file name has the extension of a compression format.
    ///
    /// - Parameter url: The file.
    /// - Returns: Whether it is, even if the format was not added.
    package static func compresses(_ url: URL) -> Bool {
        extensions.contains(url.pathExtension.lowercased())
    }
}
