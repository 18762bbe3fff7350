import Foundation
import HTTPArchive

extension Input {
    /// Opens it for reading its entries in any order; of what comes by a pipe it reads a copy.
    ///
    /// - Parameter index: Whether an index that was kept of a file is used; one that `har index` made by default.
    /// - Returns: The archive.
    /// - Throws: What opening it throws; what is wrong with it where its end is missing, for a part of an archive must
    ///   not pass for all of it.
    func archive(index: HARArchive.IndexUse = Self.index) throws(HARError) -> HARArchive {
        try withFile { url throws(HARError) in
            let progress = ReadingProgress(of: url.fileSize)
            defer { progress.clear() }
            let archive = try HARArchive(contentsOf: url, index: isStream ? .never : index) { progress.update($0) }
            if let damage = archive.damage { throw damage }
            return archive
        }
    }

    /// Whether it is read once, from front to back, and cannot be read at any place.
    var isStream: Bool { isStandardInput || isPipe }

    /// Calls `body` with a file that can be read at any place: the input itself, or a copy of what comes by a pipe.
    ///
    /// The copy is gone afterwards; what keeps it open goes on reading it.
    func withFile<Result>(_ body: (URL) throws(HARError) -> Result) throws(HARError) -> Result {
        if !isStream { return try body(url) }
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent("har-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: copy) }
        try spool(to: copy)
        do {
            return try body(copy)
        } catch {
            guard error.context.file == copy.relativePath else { throw error }
            var context = error.context
            context.file = name
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
    }

    /// Whether what stands at the path is read once, from front to back, as a named pipe or `<(command)` in a shell.
    private var isPipe: Bool {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
        return exists && !isFolder.boolValue && !FileManager.default.isRegularFile(url.path)
    }

    private func spool(to copy: URL) throws(HARError) {
        let source: FileHandle
        do {
            source = isStandardInput ? .standardInput : try FileHandle(forReadingFrom: url)
        } catch {
            throw HARError(
                .unreadableFile, "It cannot be read. \(error.localizedDescription)", at: .init(file: name),
                underlying: error)
        }
        var count = 0
        let progress = ReadingProgress(of: nil)
        defer { progress.clear() }
        do {
            _ = FileManager.default.createFile(
                atPath: copy.path, contents: nil, attributes: [.posixPermissions: 0o600])
            let target = try FileHandle(forWritingTo: copy)
            defer { try? target.close() }
            while let piece = try source.read(upToCount: 1 << 20), !piece.isEmpty {
                try target.write(contentsOf: piece)
                count += piece.count
                progress.update(count)
            }
        } catch {
            throw HARError(
                .unreadableFile, "It cannot be copied to \(copy.path). \(error.localizedDescription)",
                at: .init(file: name), underlying: error)
        }
    }
}

extension URL {
    /// The size of a file in bytes; `nil` when it is unknown.
    var fileSize: Int? { (try? resourceValues(forKeys: [.fileSizeKey]))?.fileSize }
}
