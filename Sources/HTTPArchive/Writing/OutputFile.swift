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
/// A regular file appears under its name when it is whole: until then, what stood there before stays.
final class OutputFile {
    private let name: String
    private let temporary: String?
    private let descriptor: Int32

    /// The handle that the descriptor belongs to; `nil` when it is the file's own.
    private let handle: FileHandle?
    private var isFinished = false

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
            temporary = nil
            descriptor = open(name, O_WRONLY | O_CLOEXEC)
        } else {
            let path = url.resolvingSymlinksInPath().path + ".\(UInt32.random(in: 0 ... .max)).part"
            temporary = path
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
        }
        guard descriptor >= 0 else { throw failure() }
        // A file that its owner alone may read must not become readable by all.
        if exists, temporary != nil, !isPrivate { fchmod(descriptor, status.st_mode & 0o777) }
    }

    /// Writes to a handle that somebody else closes.
    init(handle: FileHandle, name: String) {
        self.name = name
        temporary = nil
        descriptor = handle.fileDescriptor
        self.handle = handle
    }

    deinit {
        if handle == nil { close(descriptor) }
        if let temporary, !isFinished { unlink(temporary) }
    }

    /// Writes bytes at the end.
    func write(_ bytes: UnsafeRawBufferPointer) throws(HARError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(descriptor, part.baseAddress, part.count)
            if count < 0, errno != EINTR { throw failure() }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Writes bytes at the end.
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

    /// Gives the file its name.
    func finish() throws(HARError) {
        guard let temporary else { return }
        let target = URL(fileURLWithPath: name).resolvingSymlinksInPath().path
        guard rename(temporary, target) == 0 else { throw failure() }
        isFinished = true
    }

    private func failure() -> HARError {
        HARError(
            .unwritableFile, "The file cannot be written: \(String(cString: strerror(errno))).", at: .init(file: name))
    }
}
