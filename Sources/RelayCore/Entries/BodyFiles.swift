import Foundation
import HTTPArchive

/// A writer for body files next to an archive.
///
/// Each file is named after the hash of its contents.
struct BodyFiles: Sendable {
    /// The directory that contains the archive.
    let folder: URL

    /// Whether only the owner can read the files.
    var isPrivate = false

    /// Writes a body to its file, unless the file already exists.
    ///
    /// The file is written under a temporary name and renamed when it is complete. Only one chunk of the body is in
    /// memory at a time.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - type: The media type, which determines the file extension.
    /// - Returns: The file name, which consists of the SHA-1 hash of the bytes and an extension.
    /// - Throws: `unwritableFile` if the file cannot be written; `unreadableFile` if the spooled body cannot be read.
    func keep(_ body: SpooledBody, type: String) throws(HARError) -> String {
        // Playwright names its files in the same way. Nothing relies on the collision resistance of the hash.
        var hash = StreamedHash(.sha1)
        try body.forEachPiece { piece, _ throws(HARError) in hash.update(piece) }
        let name = Hexadecimal.text(hash.finish()) + "." + Self.fileExtension(of: MediaType(type))
        let file = folder.appendingPathComponent(name)
        if Self.size(of: file) == body.count { return name }
        do {
            var settings = OutputFile.Settings()
            settings.isPrivate = isPrivate
            // The file must reach the disk before any entry that refers to it.
            settings.isSynchronized = true
            let output = try OutputFile(url: file, settings: settings)
            try body.forEachPiece { piece, _ throws(HARError) in try output.write([UInt8](piece)) }
            try output.finish()
        } catch {
            throw HARError(
                error.code, "A body cannot be written to a file in the archive's folder. \(error.message)",
                at: error.context,
                underlying: error)
        }
        return name
    }

    private static func size(of file: URL) -> Int? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes?[.size] as? NSNumber)?.intValue
    }

    /// Returns the common file extension for a media type, or `dat` for an unknown type, as in archives by Playwright.
    static func fileExtension(of type: MediaType?) -> String {
        guard let essence = type?.essence else { return "dat" }
        if let known = extensions[essence] { return known }
        if essence.hasSuffix("+json") { return "json" }
        return essence.hasSuffix("+xml") ? "xml" : "dat"
    }

    private static let extensions = [
        "application/gzip": "gz", "application/javascript": "js", "application/json": "json",
        "application/octet-stream": "bin", "application/pdf": "pdf", "application/wasm": "wasm",
        "application/x-www-form-urlencoded": "txt", "application/xml": "xml", "application/zip": "zip",
        "audio/aac": "aac", "audio/mpeg": "mp3", "audio/ogg": "ogg", "audio/wav": "wav",
        "font/otf": "otf", "font/ttf": "ttf", "font/woff": "woff", "font/woff2": "woff2",
        "image/avif": "avif", "image/bmp": "bmp", "image/gif": "gif", "image/jpeg": "jpeg", "image/png": "png",
        "image/svg+xml": "svg", "image/tiff": "tiff", "image/webp": "webp", "image/x-icon": "ico",
        "image/vnd.microsoft.icon": "ico", "text/calendar": "ics", "text/css": "css", "text/csv": "csv",
        "text/event-stream": "txt", "text/html": "html", "text/javascript": "js", "text/markdown": "md",
        "text/plain": "txt", "text/xml": "xml", "video/mp4": "mp4", "video/mpeg": "mpeg", "video/ogg": "ogv",
        "video/webm": "webm",
    ]
}
