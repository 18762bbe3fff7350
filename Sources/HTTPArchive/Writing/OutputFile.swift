import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A file that is written from front to back.
///
/// A regular file appears under its name when it is whole: until then, what stood there before stays. Where the file system
/// can do so, it has no name until then, and a process that is killed leaves nothing behind.
final class OutputFile {
    /// A file that is not whole.
    private enum Draft {
        /// It has no name.
        case unnamed

        /// It has a name of its own.
        case named(String)
    }

    /// How much is collected before it is written: large writes take two thirds of the time of many small ones.
    private static let bufferSize = 1 << 20

    /// What is written at once rather than collected.
    private static let largeSize = 1 << 17

    private let name: String
    private let descriptor: Int32

    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferSize, alignment: 64)
    private var collected = 0

    /// Why something could not be written: what has a gap is never given its name.
    private var failure: HARError?

    /// What `finish` gives the name to; `nil` for what has its name already.
    private var draft: Draft?

    /// The handle that the descriptor belongs to; `nil` when it is the file's own.
    private let handle: FileHandle?

    /// Creates a file, or opens a device or pipe.
    ///
    /// - Parameters:
    ///   - url: The file.
    ///   - isPrivate: Whether it is to be a file that only its owner can read; `false` by default, which leaves that to
    ///     the process, or to the file that was there before.
    /// - Throws: `unwritableFile`.
    init(url: URL, isPrivate: Bool = false) throws(HARError) {
        name = url.path
        handle = nil
        guard url.isFileURL else {
            throw HARError(.unwritableFile, "Not the URL of a file; write one, and upload it.", at: .init(file: name))
        }
        var status = stat()
        let exists = stat(name, &status) == 0
        if exists, status.st_mode & S_IFMT != S_IFREG {
            guard !isPrivate else {
                throw HARError(
                    .unwritableFile, "Something else than a file is there; choose another place.",
                    at: .init(file: name))
            }
            descriptor = open(name, O_WRONLY | O_CLOEXEC)
        } else {
            let mode: mode_t = isPrivate ? 0o600 : 0o666
            if let unnamed = Self.createUnnamed(inFolderOf: Self.target(of: name), mode: mode) {
                descriptor = unnamed
                draft = .unnamed
            } else {
                let path = Self.temporaryName(for: Self.target(of: name))
                descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
                draft = .named(path)
            }
        }
        guard descriptor >= 0 else { throw error() }
        // A file that its owner alone may read must not become readable by all.
        if exists, draft != nil, !isPrivate { fchmod(descriptor, status.st_mode & 0o777) }
    }

    /// Writes to a handle that somebody else closes.
    init(handle: FileHandle, name: String) {
        self.name = name
        descriptor = handle.fileDescriptor
        self.handle = handle
    }

    deinit {
        buffer.deallocate()
        if handle == nil { close(descriptor) }
        if case .named(let path) = draft { unlink(path) }
    }

    /// Adds bytes at the end.
    func write(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        if bytes.count > buffer.count - collected || bytes.count >= Self.largeSize { try flush() }
        if bytes.count >= Self.largeSize { return try writeOut(bytes) }
        buffer[collected...].copyBytes(from: bytes)
        collected += bytes.count
    }

    /// Writes what was collected.
    private func flush() throws(HARError) {
        try writeOut(UnsafeRawBufferPointer(rebasing: buffer[..<collected]))
        collected = 0
    }

    private func writeOut(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        if let failure { throw failure }
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno != EINTR {
                let error = error()
                failure = error
                throw error
            }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Adds bytes at the end.
    func write(_ bytes: [UInt8]) throws(HARError) {
        let result = bytes.withUnsafeBytes { bytes in
            do throws(HARError) {
                return Result<Void, HARError>.success(try write(bytes))
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Writes what is left, and gives the file its name.
    func finish() throws(HARError) {
        try flush()
        let target = Self.target(of: name)
        if case .unnamed = draft {
            // A link does not replace a file, a name does.
            let path = Self.temporaryName(for: target)
            let isLinked = linkat(AT_FDCWD, Self.path(of: descriptor), AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
            guard isLinked else { throw error() }
            draft = .named(path)
        }
        guard case .named(let path) = draft else { return }
        guard rename(path, target) == 0 else { throw error() }
        draft = nil
    }

    /// The path that is written: where a link leads.
    private static func target(of name: String) -> String {
        URL(fileURLWithPath: name).resolvingSymlinksInPath().path
    }

    private static func temporaryName(for target: String) -> String {
        target + ".\(UInt32.random(in: 0 ... .max)).part"
    }

    /// Where the system shows an open file (proc_pid_fd(5)).
    private static func path(of descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// Opens a file that has no name; `nil` where that cannot be done.
    private static func createUnnamed(inFolderOf path: String, mode: mode_t) -> Int32? {
        #if os(Linux)
            // O_TMPFILE, which Swift does not see (open(2)).
            let unnamed = 0o20000000 | O_DIRECTORY
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let descriptor = open(folder, unnamed | O_WRONLY | O_CLOEXEC, mode)
            guard descriptor >= 0 else { return nil }
            if access(Self.path(of: descriptor), F_OK) == 0 { return descriptor }
            close(descriptor)
        #endif
        return nil
    }

    /// What the last call of the system failed for.
    private func error() -> HARError {
        HARError(
            .unwritableFile, "The file cannot be written: \(String(cString: strerror(errno))).", at: .init(file: name))
    }
}
