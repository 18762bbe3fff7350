import ArgumentParser
import Foundation
import HTTPArchive

/// An archive as a command-line argument: a path, or `-` for standard input.
struct Input: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"] + CompressionFormats.extensions)

    let argument: String

    init(argument: String) {
        self.argument = argument
    }

    /// Whether the archive is read from standard input.
    var isStandardInput: Bool { argument == "-" }

    /// The name of the archive in messages.
    var name: String { isStandardInput ? "standard input" : argument }

    /// The URL of the file.
    var url: URL { URL(fileURLWithPath: argument) }

    /// The folder of the archive, which holds its body files.
    var folder: HAR.BodyFolder {
        isStandardInput
            ? HAR.BodyFolder(
                URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
                archive: URL(fileURLWithPath: "/dev/stdin"))
            : HAR.BodyFolder(ofArchive: url)
    }

    /// The default index policy: use an archive index created by `har index`.
    static let index = HARArchive.IndexUse.use()

    /// Opens the archive for reading in one pass.
    ///
    /// - Parameter sizes: The limits.
    /// - Returns: The reader.
    /// - Throws: `unreadableFile`.
    func reader(_ sizes: SizeOptions) throws(HARError) -> HARReader {
        isStandardInput
            ? HARReader(handle: .standardInput, name: name, configuration: sizes.reader)
            : try HARReader(contentsOf: url, configuration: sizes.reader)
    }
}

extension Input {
    /// Opens the archive for random access.
    ///
    /// Input from a pipe is first copied to a temporary file.
    ///
    /// - Parameters:
    ///   - sizes: The limits.
    ///   - index: The index policy; by default, an archive index created by `har index` is used.
    /// - Returns: The archive.
    /// - Throws: An error if the archive cannot be opened or is truncated.
    func archive(_ sizes: SizeOptions, index: HARArchive.IndexUse = Self.index) throws(HARError) -> HARArchive {
        // The archive has an open descriptor for the copy, so the copy can be deleted when the closure returns.
        let archive = try withFile { file, name throws(HARError) in
            let progress = ReadingProgress(of: isStream ? nil : file.fileSize)
            defer { progress.clear() }
            return try HARArchive(
                contentsOf: file, named: name, configuration: sizes.reader, index: isStream ? .never : index
            ) { progress.update($0) }
        }
        if let damage = archive.damage { throw damage }
        return archive
    }

    /// Calls a closure with a file that can be read at any offset.
    ///
    /// Input from a pipe is first copied to a temporary file.
    ///
    /// - Parameter body: A closure that receives the URL of the file and the name of the archive in messages.
    /// - Returns: The result of the closure.
    /// - Throws: An error if the input cannot be read; the errors of the closure.
    func withFile<Result>(_ body: (URL, String) throws(HARError) -> Result) throws(HARError) -> Result {
        let copy = isStream ? try spooled() : nil
        defer { withExtendedLifetime(copy) {} }
        return try body(copy?.url ?? url, name)
    }

    /// Whether the archive can be read only once, from start to end.
    var isStream: Bool { isStandardInput || isPipe }

    /// Whether the path names a pipe or device, such as a named pipe or `<(command)` in a shell.
    private var isPipe: Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && !FileManager.default.isRegularFile(url.path)
    }

    /// Copies a pipe to a temporary file.
    private func spooled() throws(HARError) -> TemporaryFile {
        let source: FileHandle
        do {
            source = isStandardInput ? .standardInput : try FileHandle(forReadingFrom: url)
        } catch {
            throw HARError(
                .unreadableFile, "cannot read: \(error.fileErrorReason)", at: .init(file: name),
                underlying: error)
        }
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
        do {
            while let chunk = try source.read(upToCount: 1 << 20), !chunk.isEmpty {
                try target.write(contentsOf: chunk)
                count += chunk.count
                progress.update(count)
            }
        } catch {
            throw HARError(
                .unreadableFile,
                "cannot copy to \(folder.path): \(error.fileErrorReason); set TMPDIR to another folder",
                at: .init(file: name), underlying: error)
        }
        return copy
    }
}

extension URL {
    /// The size of the file in bytes, or `nil` if unknown.
    var fileSize: Int? { (try? resourceValues(forKeys: [.fileSizeKey]))?.fileSize }
}
