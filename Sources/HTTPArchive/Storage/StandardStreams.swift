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

/// The number of files and connections that the process may have open.
package enum DescriptorLimit {
    /// Raises the limit as far as the system allows, and returns it.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        #if canImport(Glibc)
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
            let resource = RLIMIT_NOFILE
        #endif
        guard getrlimit(resource, &limit) == 0 else { return 1024 }
        limit.rlim_cur = max(limit.rlim_cur, min(limit.rlim_max, 1 << 16))
        setrlimit(resource, &limit)
        return Int(limit.rlim_cur)
    }

    /// Extends the system's table of the process's files, so that it has room for a number of files.
    ///
    /// Otherwise, the table grows while files are opened. In a process with several threads, Linux waits up to tens of
    /// milliseconds each time. Call this before threads are started.
    package static func extendTable(to count: Int) {
        let descriptor = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, Int32(clamping: count - 1))
        if descriptor >= 0 { close(descriptor) }
    }
}
