import Foundation

/// The kind of file at an output path, after symbolic links are resolved.
enum OutputTarget: Equatable {
    /// A regular file at this path, which might not exist yet.
    case file(String)

    /// A pipe, a character device or a socket at this path.
    case stream(String)

    /// An open descriptor of this process, for example for `/dev/stdout`.
    case descriptor(Int32)

    /// The maximum number of symbolic links to follow for a path, as on Linux.
    private static let maximumLinkCount = 40

    /// Resolves the symbolic links in a path.
    ///
    /// - Parameter name: The path.
    /// - Throws: `unwritableFile` for a folder, a block device, or a path that cannot be resolved.
    init(of name: String) throws(HARError) {
        var path = name
        for _ in 0...Self.maximumLinkCount {
            if let open = Self.openFile(at: path) {
                self = open
                return
            }
            guard let destination = try? FileManager.default.destinationOfSymbolicLink(atPath: path) else {
                self = try Self.target(at: path, name)
                return
            }
            path = destination.hasPrefix("/") ? destination : TemporaryFile.folder(of: path) + "/" + destination
        }
        throw .unwritable(
            name,
            "The path has too many symbolic links, which may form a loop. Correct the links, or choose another path.")
    }

    /// Returns the target at a path that is not a symbolic link.
    private static func target(at path: String, _ name: String) throws(HARError) -> OutputTarget {
        var status = stat()
        guard lstat(path, &status) == 0 else {
            if errno == ENOENT { return .file(path) }
            throw .unwritable(name)
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(path)
        case S_IFIFO, S_IFCHR, S_IFSOCK: return .stream(path)
        case S_IFDIR:
            throw .unwritable(name, "The path is a folder. Specify a file in it.")
        default:
            throw .unwritable(name, "The path is not a file, a pipe or a character device. Choose another path.")
        }
    }

    /// Returns the target for a path that represents an open file, such as `/dev/fd/1`, or nil for any other path.
    ///
    /// Such links are not followed, because their target may be open for appending or may have been deleted.
    private static func openFile(at path: String) -> OutputTarget? {
        guard let number = Int32(path.split(separator: "/").last ?? ""),
            let folder = realPath(TemporaryFile.folder(of: path))
        else { return nil }
        guard folder == "/dev/fd" || folder.hasPrefix("/proc/") && folder.hasSuffix("/fd") else { return nil }
        let isOwn = folder == "/dev/fd" || realPath("/proc/self").map { folder.hasPrefix($0 + "/") } ?? false
        return isOwn ? .descriptor(number) : .stream(path)
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
