import ArgumentParser
import Foundation
import HTTPArchive

/// An archive as it is named on the command line: a file, or `-` for standard input.
struct Input: ExpressibleByArgument {
    static let defaultCompletionKind = CompletionKind.file(extensions: ["har"])

    /// What was typed.
    let argument: String

    init(argument: String) {
        self.argument = argument
    }

    /// Whether it is standard input.
    var isStandardInput: Bool { argument == "-" }

    /// What messages call it.
    var name: String { isStandardInput ? "standard input" : argument }

    /// The file.
    var url: URL { URL(fileURLWithPath: argument) }

    /// The folder of the archive, which has the files of bodies.
    var folder: HAR.BodyFolder {
        isStandardInput
            ? HAR.BodyFolder(
                URL(fileURLWithPath: FileManager.default.currentDirectoryPath),
                archive: URL(fileURLWithPath: "/dev/stdin"))
            : HAR.BodyFolder(ofArchive: url)
    }

    /// Whether a kept index of an archive is used: one that `har index` made.
    static let index = HARArchive.IndexUse.use()

    /// Opens it.
    func reader() throws(HARError) -> HARReader {
        isStandardInput ? HARReader(handle: .standardInput, name: name) : try HARReader(contentsOf: url)
    }
}

extension Input {
    /// Opens it for reading its entries in any order; of what comes by a pipe it reads a copy.
    ///
    /// - Parameter index: Whether an index that was kept of a file is used; one that `har index` made by default.
    /// - Returns: The archive.
    /// - Throws: What opening it throws; what is wrong with it where its end is missing, for a part of an archive must
    ///   not pass for all of it.
    func archive(index: HARArchive.IndexUse = Self.index) throws(HARError) -> HARArchive {
        // A copy that is open needs no name.
        let copy = isStream ? try spooled() : nil
        defer { withExtendedLifetime(copy) {} }
        let file = copy?.url ?? url
        let progress = ReadingProgress(of: isStream ? nil : file.fileSize)
        defer { progress.clear() }
        let archive = try HARArchive(contentsOf: file, named: name, index: isStream ? .never : index) {
            progress.update($0)
        }
        if let damage = archive.damage { throw damage }
        return archive
    }

    /// Whether it is read once, from front to back, and cannot be read at any place.
    var isStream: Bool { isStandardInput || isPipe }

    /// Whether what stands at the path is read once, from front to back, as a named pipe or `<(command)` in a shell.
    private var isPipe: Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && !FileManager.default.isRegularFile(url.path)
    }

    /// Copies what comes by a pipe to a temporary file.
    private func spooled() throws(HARError) -> TemporaryFile {
        let source: FileHandle
        do {
            source = isStandardInput ? .standardInput : try FileHandle(forReadingFrom: url)
        } catch {
            throw HARError(
                .unreadableFile, "It cannot be read. \(error.localizedDescription)", at: .init(file: name),
                underlying: error)
        }
        let folder = FileManager.default.temporaryDirectory
        guard let copy = TemporaryFile(nextTo: folder.appendingPathComponent("har").path) else {
            throw HARError(
                .unreadableFile,
                "It cannot be copied to \(folder.path): \(String(cString: strerror(errno))). Set TMPDIR to another folder.",
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
                "It cannot be copied to \(folder.path). \(error.localizedDescription) Set TMPDIR to another folder.",
                at: .init(file: name), underlying: error)
        }
        return copy
    }
}

extension URL {
    /// The size of a file in bytes; `nil` when it is unknown.
    var fileSize: Int? { (try? resourceValues(forKeys: [.fileSizeKey]))?.fileSize }
}
