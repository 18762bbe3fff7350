#if Server
    import Foundation
    import HTTPArchive

    /// A file that only the current user can read and replace.
    enum PrivateFile {
        /// Returns whether a path names a file or a symbolic link, even a broken one.
        static func exists(at file: URL) -> Bool {
            var status = stat()
            return lstat(file.path, &status) == 0
        }

        /// Reads a file.
        ///
        /// - Parameter file: The file.
        /// - Returns: Its content.
        /// - Throws: `unreadableFile` if the file cannot be read or is not a regular file, or if other users can read it,
        ///   change it or replace it.
        static func read(_ file: URL) throws(HARError) -> Data {
            let (path, folder) = (file.path, file.deletingLastPathComponent().path)
            var status = stat()
            guard stat(folder, &status) == 0 else { throw failure(file, "The folder of the file cannot be read.") }
            try requireOwner(status, of: folder, file)
            guard status.st_mode & 0o022 == 0 else {
                throw failure(
                    file, "Other users can replace the file. Run `chmod 700 \(ShellText.quoted(folder))`.")
            }
            // A pipe would block.
            let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else {
                let isLink = lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
                throw failure(
                    file,
                    isLink
                        ? "The file is a symbolic link, which is not followed. Replace the link with the file."
                        : "The file cannot be read. Make it readable, or remove it to create another one.")
            }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw failure(file, "The path is not a file. Remove it to create another file.")
            }
            try requireOwner(status, of: path, file)
            guard status.st_mode & 0o077 == 0 else {
                throw failure(
                    file,
                    """
                    Other users can read or change the file. Run `chmod 600 \(ShellText.quoted(path))`, or remove the \
                    file to create another one.
                    """)
            }
            guard let data = try? handle.readToEnd() else {
                throw failure(file, "The file is empty. Remove the file to create another one.")
            }
            return data
        }

        /// Throws if a file or folder belongs to a user other than the current user and the administrator.
        private static func requireOwner(_ status: stat, of path: String, _ file: URL) throws(HARError) {
            guard ![geteuid(), 0].contains(status.st_uid) else { return }
            throw failure(
                file,
                "\(ShellText.quoted(path)) belongs to another user. Change its owner, or set XDG_DATA_HOME to another folder."
            )
        }

        private static func failure(_ file: URL, _ message: String) -> HARError {
            HARError(.unreadableFile, message, at: .init(file: file.path))
        }
    }
#endif
