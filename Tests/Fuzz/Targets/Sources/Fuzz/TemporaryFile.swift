import Foundation

/// The file that this process writes to, in memory if the system has a memory file system.
enum TemporaryFile {
    static let url = folder.appendingPathComponent("document.har")

    /// The folder for all files of this process, which is deleted when the process exits.
    static let folder: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let parent =
            FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        let url = parent.appendingPathComponent("relay-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
        guard (try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)) != nil else {
            fail("Cannot create the folder \(url).")
        }
        atexit { try? FileManager.default.removeItem(at: TemporaryFile.folder) }
        return url
    }()

    /// Writes bytes to the file.
    static func write(_ bytes: [UInt8]) {
        guard FileManager.default.createFile(atPath: url.path, contents: Data(bytes)) else {
            fail("Cannot write \(url).")
        }
    }

    /// The bytes of the file.
    static var bytes: [UInt8] {
        guard let data = FileManager.default.contents(atPath: url.path) else { fail("Cannot read \(url).") }
        return [UInt8](data)
    }
}
