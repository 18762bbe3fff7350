public import Foundation

extension HAR {
    /// The body of a request or a response, as far as an archive has it.
    public enum Body: Hashable, Sendable {
        /// There was a body, or may have been one, and the archive does not have it.
        case notCaptured

        /// The bytes, free of content codings; none for an empty body.
        case data(Data)

        /// The bytes stand in a file of that name beside the archive, as Playwright writes it.
        case file(String)
    }
}

extension HAR.Body {
    /// The bytes; `nil` when they are not in the archive, or in a file beside it.
    public var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// The bytes, from a file beside the archive if that is where they are.
    ///
    /// - Parameter folder: The folder of the archive; a file outside it is never read.
    /// - Returns: `nil` when the body was not captured.
    /// - Throws: `unreadableFile` when the file is missing or stands outside the folder.
    public func data(besideArchiveIn folder: URL) throws(HARError) -> Data? {
        switch self {
        case .notCaptured: return nil
        case .data(let data): return data
        case .file(let name):
            let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
            let file = folder.appendingPathComponent(name).resolvingSymlinksInPath().standardizedFileURL
            guard file.path.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
                throw HARError(
                    .unreadableFile, "The archive names a file outside its folder for a body; it is not read.",
                    at: .init(file: name))
            }
            do {
                return try Data(contentsOf: file)
            } catch {
                throw HARError(
                    .unreadableFile,
                    "The file of a body, which stands beside the archive, cannot be read; copy the archive with it.",
                    at: .init(file: file.path), underlying: error)
            }
        }
    }
}
