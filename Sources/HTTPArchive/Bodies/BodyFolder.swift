public import Foundation
import Synchronization

extension HAR {
    /// The folder that contains an archive and its body files.
    ///
    /// An archive is untrusted input and must not cause arbitrary files to be read. Only regular files in the folder
    /// and its subfolders are read. Hidden files, the archive itself, and the targets of symbolic links are not read.
    /// The body files of an archive in a zip file are read from the zip file.
    public struct BodyFolder: Sendable, Hashable {
        /// The folder.
        public let url: URL

        /// The archive, which is never read as a body, or nil for entries that were not read from a file.
        public let archive: URL?

        /// The maximum size of a body file, in bytes; 100 MB by default.
        public var maximumFileSize = 100_000_000

        /// The maximum size of all body files in a zip file together, in bytes; 10 GB by default.
        public var maximumDecompressedSize = CompressionFormats.defaultSizeLimit

        /// The files that are stored together with the archive, or nil for entries that were not read from a file.
        private let container: BodyContainer?

        /// Creates a body folder for the folder that contains an archive.
        ///
        /// - Parameter archive: The archive.
        public init(ofArchive archive: URL) {
            self.init(archive.deletingLastPathComponent(), ofCopy: archive)
        }

        /// Creates a body folder.
        ///
        /// - Parameters:
        ///   - url: The folder.
        ///   - archive: The archive; nil by default, for entries that were not read from a file.
        public init(_ url: URL, archive: URL? = nil) {
            self.url = url
            self.archive = archive
            container = nil
        }

        /// Creates a body folder for a copy of an archive.
        ///
        /// - Parameters:
        ///   - url: The folder of the original.
        ///   - copy: The copy, which may be a zip file with bodies.
        package init(_ url: URL, ofCopy copy: URL) {
            self.url = url
            archive = copy
            container = BodyContainer(of: copy)
        }
    }
}

extension HAR.BodyFolder {
    /// Returns whether the body files are in the same file as the archive, such as a zip file.
    ///
    /// - Throws: `unreadableFile` or `limitExceeded`.
    package func isContainer() throws(HARError) -> Bool {
        try container?.members(sizeLimit: maximumDecompressedSize) != nil
    }

    /// Whether another archive in the given folder has the same body files.
    ///
    /// - Parameter folder: The folder of the other archive, or nil if it has none.
    /// - Returns: `true` if both paths refer to the same folder.
    package func isSame(as folder: URL?) -> Bool {
        guard let folder else { return false }
        if folder.path == url.path { return true }
        return FileIdentity(of: folder.path).map { $0 == FileIdentity(of: url.path) } ?? false
    }

    /// Reads the file that an entry refers to.
    ///
    /// - Parameter name: The name in the entry, relative to the folder.
    /// - Returns: The content.
    /// - Throws: `unreadableFile` if the file is missing or reading it is not allowed; `limitExceeded` if it is larger
    ///   than ``maximumFileSize``.
    package func read(_ name: String) throws(HARError) -> Data {
        let components = try Self.components(of: name)
        if let members = try container?.members(sizeLimit: maximumDecompressedSize) {
            let content = try members.content(of: components.joined(separator: "/"), sizeLimit: maximumFileSize)
            guard let content else {
                throw .unreadable(
                    archive.map { "\($0.relativePath):\(name)" } ?? name,
                    "The zip file does not contain this body file.")
            }
            return content
        }
        let (file, size) = try openFile(components, name)
        guard size <= maximumFileSize else {
            throw HARError(
                .limitExceeded,
                """
                The body file is \(size) \(size == 1 ? "byte" : "bytes") long, but the limit is \
                \(maximumFileSize). Raise the limit with HAR.BodyFolder's maximumFileSize, the interceptor's \
                reader.maximumValueSize, or har's --size-limit.
                """, at: .init(file: path(of: name)))
        }
        do {
            // The file may have grown since its size was checked, so reading stops at that size.
            return try file.read(upToCount: max(1, size)) ?? Data()
        } catch {
            throw HARError(
                .unreadableFile, "The body file cannot be read: \(error.fileErrorExplanation)",
                at: .init(file: path(of: name)), underlying: error)
        }
    }

    /// Throws if the file that an entry refers to is missing or reading it is not allowed.
    ///
    /// - Parameter name: The name in the entry, relative to the folder.
    /// - Throws: `unreadableFile` or `limitExceeded`.
    package func requireReadable(_ name: String) throws(HARError) {
        if try storedBody(name) == nil { _ = try read(name) }
    }

    /// Opens the file that an entry refers to, to read it in parts.
    ///
    /// - Parameter name: The name in the entry, relative to the folder.
    /// - Returns: The body, or nil if it is in a zip file.
    /// - Throws: `unreadableFile` if the file is missing or reading it is not allowed.
    func storedBody(_ name: String) throws(HARError) -> StoredBody? {
        let components = try Self.components(of: name)
        if try container?.members(sizeLimit: maximumDecompressedSize) != nil { return nil }
        let (file, size) = try openFile(components, name)
        return StoredBody(InputFile(handle: file, name: path(of: name)), 0..<size)
    }

    /// Opens a regular file, and returns it with its size.
    private func openFile(
        _ components: [String], _ name: String
    ) throws(HARError) -> (file: FileHandle, size: Int) {
        let descriptor = try open(components, name)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Self.refusal("something other than a regular file", name)
        }
        if let archive, FileIdentity(of: archive.path) == FileIdentity(status) { throw Self.refusal("itself", name) }
        return (file, Int(status.st_size))
    }

    /// Returns whether a path can refer to a file outside the folder.
    ///
    /// Backslashes and drive letters have a meaning only on Windows, but a portable path must not leave the folder there
    /// either.
    ///
    /// - Parameter name: The name in an entry.
    /// - Returns: Whether it can.
    package static func mayLeave(_ name: String) -> Bool {
        name.hasPrefix("/") || name.hasPrefix("\\") || name.dropFirst().hasPrefix(":") || name.utf8.contains(0)
            || name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
    }

    /// Splits a file name into its path components.
    ///
    /// - Parameter name: The name in an entry.
    /// - Returns: At least one component.
    /// - Throws: `unreadableFile` if the name refers to a file outside the folder or to a hidden file.
    package static func components(of name: String) throws(HARError) -> [String] {
        guard !mayLeave(name) else { throw refusal("a file outside its folder", name) }
        let components = name.split(separator: "/").filter { $0 != "." }.map(String.init)
        guard !components.isEmpty else { throw refusal("a path without a file name", name) }
        let steps = name.split(whereSeparator: { $0 == "/" || $0 == "\\" })
        guard !steps.contains(where: { $0.hasPrefix(".") && $0 != "." }) else { throw refusal("a hidden file", name) }
        return components
    }

    /// Opens a file one path component at a time, so that no symbolic link is followed.
    private func open(_ components: [String], _ name: String) throws(HARError) -> Int32 {
        var folder = Foundation.open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        for component in components.dropLast() {
            let next = try openComponent(component, O_DIRECTORY, in: folder, name)
            close(folder)
            folder = next
        }
        // Opening a pipe or a device can have side effects, even if nothing is read.
        var status = stat()
        let file = components[components.count - 1]
        if fstatat(folder, file, &status, AT_SYMLINK_NOFOLLOW) == 0,
            ![S_IFREG, S_IFLNK].contains(status.st_mode & S_IFMT)
        {
            throw Self.refusal("something other than a regular file", name)
        }
        return try openComponent(file, O_NONBLOCK | O_NOCTTY, in: folder, name)
    }

    private func openComponent(
        _ component: String, _ flags: Int32, in folder: Int32, _ name: String
    ) throws(HARError) -> Int32 {
        let descriptor = openat(folder, component, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | flags)
        if descriptor >= 0 { return descriptor }
        let reason = errno
        var status = stat()
        if fstatat(folder, component, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK {
            throw Self.refusal("a symbolic link", name)
        }
        throw .unreadable(
            path(of: name),
            """
            The body file cannot be read from the archive's folder: \(String(cString: strerror(reason))). \
            Copy the body files together with the archive.
            """)
    }

    private func path(of name: String) -> String { url.appendingPathComponent(name).path }

    private static func refusal(_ kind: String, _ name: String) -> HARError {
        .unreadable(name, "The archive specifies \(kind) as a body file, which is not allowed.")
    }
}

/// The file that contains an archive and possibly its body files, such as a zip file.
private final class BodyContainer: Sendable, Hashable {
    private let archive: URL

    /// The body files, or an error; nil before the first use.
    private let state = Mutex<Result<(any MemberStore)?, HARError>?>(nil)

    /// Creates a container, which is opened when it is first used.
    ///
    /// - Parameter archive: The archive.
    init(of archive: URL) {
        self.archive = archive
    }

    /// Returns the body files, or nil if the file contains only the archive.
    ///
    /// - Parameter sizeLimit: The maximum size of all body files, in bytes.
    /// - Returns: The body files.
    /// - Throws: `unreadableFile` or `limitExceeded`; `unwritableFile` if the temporary folder is full.
    func members(sizeLimit: Int) throws(HARError) -> (any MemberStore)? {
        try state.withLock { state in
            let result = state ?? load(sizeLimit)
            state = result
            return result
        }.get()
    }

    private func load(_ sizeLimit: Int) -> Result<(any MemberStore)?, HARError> {
        // The archive may not exist yet.
        guard let file = try? InputFile(url: archive, waitsForWriter: false) else { return .success(nil) }
        return Result { () throws(HARError) in try file.members(sizeLimit) }
    }

    static func == (first: BodyContainer, second: BodyContainer) -> Bool { first.archive == second.archive }

    func hash(into hasher: inout Hasher) { hasher.combine(archive) }
}
