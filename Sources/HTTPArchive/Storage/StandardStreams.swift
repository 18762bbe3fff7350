import Foundation

/// The standard streams of the process.
package enum StandardStreams {
    /// Opens the null device for each standard stream that is closed.
    ///
    /// Otherwise, the next file that the process opens would get the descriptor of the stream, and messages for standard
    /// error would be written into that file. Reading closed standard input and writing closed standard output are still
    /// errors.
    ///
    /// Call this when the process starts, before it opens files.
    package static func openClosed() {
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDWR)]
        where fcntl(descriptor, F_GETFD) == -1 {
            // The system assigns the lowest unused descriptor.
            _ = open("/dev/null", mode)
        }
    }

    /// Writes text to standard error.
    ///
    /// Text that cannot be written is lost, because a message must not end the process.
    package static func writeToStandardError(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
