import ArgumentParser
import CPlatform
import Foundation
import HTTPArchive
import Synchronization

/// An archive as a command-line argument: a path, or `-` for standard input.
struct Input: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"] + CompressionFormats.extensions)

    let argument: String

    /// The copy of a pipe, which is shared by all copies of this value.
    private let copy = Copy()

    init(argument: String) {
        self.argument = argument
    }

    /// Creates an input from data.
    ///
    /// - Parameters:
    ///   - data: The content, which is written to a temporary file.
    ///   - name: The name of the archive in messages.
    /// - Throws: `unreadableFile` if the temporary folder is full.
    init(copyOf data: Data, named name: String) throws(HARError) {
        argument = name
        var rest: Data? = data
        copy.create { () throws(HARError) in
            try spooled {
                defer { rest = nil }
                return rest
            }
        }
        _ = try copy.file()
    }

    /// Whether the archive is read from standard input.
    var isStandardInput: Bool { argument == "-" }

    /// The name of the archive in messages.
    var name: String { isStandardInput ? "standard input" : argument }

    /// The URL of the file, or of the copy of a pipe.
    var url: URL { copy.url ?? URL(fileURLWithPath: argument) }

    /// The folder of the archive, which holds its body files.
    ///
    /// Body files for standard input are in the current folder, or in the same zip file.
    var folder: HAR.BodyFolder {
        copyZipFile()
        guard isStandardInput || copy.url != nil else { return HAR.BodyFolder(ofArchive: url) }
        let folder =
            isStandardInput
            ? URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
            : URL(fileURLWithPath: argument).deletingLastPathComponent()
        return copy.url.map { HAR.BodyFolder(folder, ofCopy: $0) }
            ?? HAR.BodyFolder(folder, archive: URL(fileURLWithPath: "/dev/stdin"))
    }

    /// Opens the archive for reading in one pass.
    ///
    /// - Parameter sizes: The limits.
    /// - Returns: The reader.
    /// - Throws: `unreadableFile`.
    func reader(_ sizes: SizeOptions) throws(HARError) -> HARReader {
        copyZipFile()
        if let file = try copy.file() {
            return HARReader(handle: try handle(of: file.url), name: name, configuration: sizes.reader)
        }
        return isStandardInput
            ? HARReader(handle: .standardInput, name: name, configuration: sizes.reader)
            : try HARReader(contentsOf: url, configuration: sizes.reader)
    }

    /// Opens the archive for random access.
    ///
    /// Input from a pipe is first copied to a temporary file.
    ///
    /// - Parameters:
    ///   - sizes: The limits.
    ///   - index: The index policy; by default, an archive index created by `har index` is used.
    ///   - allowsDamage: Whether to open a truncated archive, with its complete entries; `false` by default.
    /// - Returns: The archive.
    /// - Throws: An error if the archive cannot be opened, or if it is truncated and `allowsDamage` is false.
    func archive(
        _ sizes: SizeOptions, index: HARArchive.IndexUse = .use(), allowsDamage: Bool = false
    ) throws(HARError) -> HARArchive {
        let isOriginal = !isStandardInput && !isStream && copy.url == nil
        // The archive has an open descriptor for the copy, so the copy can be deleted when the closure returns.
        let archive = try withFile { file, name throws(HARError) in
            let progress = ReadingProgress(of: isStream ? nil : file.fileSize)
            defer { progress.clear() }
            return try HARArchive(
                contentsOf: file, named: name, configuration: sizes.reader, index: isOriginal ? index : .never
            ) { progress.update($0) }
        }
        if !allowsDamage, let damage = archive.damage { throw damage }
        return archive
    }

    /// Opens the archive for random access, or returns nil if only the entries before an error can be read.
    ///
    /// - Parameter sizes: The limits.
    /// - Returns: The archive.
    /// - Throws: `limitExceeded`, because reading the archive in one pass would exceed the same limit.
    func archiveUnlessDamaged(_ sizes: SizeOptions) throws(HARError) -> HARArchive? {
        do throws(HARError) {
            return try archive(sizes)
        } catch {
            if error.code == .limitExceeded { throw error }
            return nil
        }
    }

    /// Calls a closure with a file that can be read at any offset.
    ///
    /// Input from a pipe is first copied to a temporary file.
    ///
    /// - Parameter body: A closure that receives the URL of the file and the name of the archive in messages.
    /// - Returns: The result of the closure.
    /// - Throws: An error if the input cannot be read; the errors of the closure.
    func withFile<Result>(_ body: (URL, String) throws(HARError) -> Result) throws(HARError) -> Result {
        copyZipFile()
        if let file = try copy.file() { return try body(file.url, name) }
        let copy = isStream ? try spooled() : nil
        defer { withExtendedLifetime(copy) {} }
        return try body(copy?.url ?? url, name)
    }

    /// Copies a pipe to a temporary file, so that the archive can be read several times.
    ///
    /// - Throws: An error if the input cannot be read or copied.
    func makeSeekable() throws(HARError) {
        copyZipFile()
        if isStream { copy.create(spooled) }
        _ = try copy.file()
    }

    /// Whether the archive can be read only once, from start to end.
    var isStream: Bool { copy.url == nil && (isStandardInput || isPipe) }

    /// Whether the path names a pipe or device, such as a named pipe or `<(command)` in a shell.
    private var isPipe: Bool {
        let files = FileManager.default
        return files.fileExists(atPath: url.path) && !files.isFolder(url.path) && !files.isRegularFile(url.path)
    }

    /// Copies standard input if it is a zip file, because the bodies in it are read in any order.
    ///
    /// The other methods throw the error if this fails.
    private func copyZipFile() {
        guard isStandardInput, copy.beginsDecision() else { return }
        let magic = Array("PK\u{3}\u{4}".utf8)
        let start = [UInt8](unsafeUninitializedCapacity: magic.count) { buffer, count in
            count = buffer.baseAddress.map { input_peek(STDIN_FILENO, $0, buffer.count) } ?? 0
        }
        if start == magic { copy.create(spooled) }
    }

    /// Copies a pipe to a temporary file.
    private func spooled() throws(HARError) -> TemporaryFile {
        let source = isStandardInput ? .standardInput : try handle(of: URL(fileURLWithPath: argument))
        return try spooled { try source.read(upToCount: 1 << 20) }
    }

    /// Copies chunks of data to a temporary file.
    private func spooled(_ read: () throws -> Data?) throws(HARError) -> TemporaryFile {
        let folder = FileManager.default.temporaryDirectory
        guard let copy = TemporaryFile(nextTo: folder.appendingPathComponent("har").path) else {
            throw HARError(
                .unreadableFile,
                "cannot copy to \(folder.path): \(String(cString: strerror(errno))); set TMPDIR to another folder",
                at: .init(file: name))
        }
        let target = FileHandle(fileDescriptor: copy.descriptor, closeOnDealloc: false)
        var count = 0
        let progress = ReadingProgress(of: nil)
        defer { progress.clear() }
        while let chunk = try reading(read), !chunk.isEmpty {
            do {
                try target.write(contentsOf: chunk)
            } catch {
                throw HARError(
                    .unreadableFile,
                    "cannot copy to \(folder.path): \(error.fileErrorReason); set TMPDIR to another folder",
                    at: .init(file: name), underlying: error)
            }
            count += chunk.count
            progress.update(count)
        }
        return copy
    }

    /// Opens a file.
    private func handle(of url: URL) throws(HARError) -> FileHandle {
        try reading { try FileHandle(forReadingFrom: url) }
    }

    /// Returns the result of a closure that reads the input.
    private func reading<Result>(_ read: () throws -> Result) throws(HARError) -> Result {
        do {
            return try read()
        } catch {
            throw HARError(
                .unreadableFile, "cannot read: \(error.fileErrorReason)", at: .init(file: name), underlying: error)
        }
    }
}

extension Collection<Input> {
    /// Throws if standard input occurs more than once, because it can be read only once.
    ///
    /// - Throws: `ValidationError`.
    func requireOneStandardInput() throws {
        guard count(where: \.isStandardInput) > 1 else { return }
        throw ValidationError("standard input can be read only once; specify a file for the other archive")
    }
}

extension URL {
    /// The size of the file in bytes, or `nil` if unknown; for a symbolic link, the size of its target.
    var fileSize: Int? { (try? resolvingSymlinksInPath().resourceValues(forKeys: [.fileSizeKey]))?.fileSize }
}

/// The temporary copy of a pipe, which is created at most once.
private final class Copy: Sendable {
    private let state = Mutex<Result<TemporaryFile, HARError>?>(nil)
    private let isDecided = Atomic(false)

    /// Returns whether this is the first call, because only the start of the input shows whether a copy is needed.
    func beginsDecision() -> Bool { !isDecided.exchange(true, ordering: .acquiringAndReleasing) }

    /// Creates the copy, unless it exists or could not be created before.
    func create(_ spooled: () throws(HARError) -> TemporaryFile) {
        state.withLock { state in
            if state != nil { return }
            do throws(HARError) {
                state = .success(try spooled())
            } catch {
                state = .failure(error)
            }
        }
    }

    /// Returns the copy, or nil if none was created.
    ///
    /// - Throws: The error for which it could not be created.
    func file() throws(HARError) -> TemporaryFile? { try state.withLock { $0 }?.get() }

    /// The URL of the copy, or nil if none was created.
    var url: URL? { state.withLock { try? $0?.get().url } }
}
