import Foundation

/// The file that a process writes to, in memory if the system has such a folder.
enum TemporaryFile {
    static let url: URL = {
        let memory = URL(fileURLWithPath: "/dev/shm")
        let folder =
            FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        let url = folder.appendingPathComponent("relay-fuzz-\(ProcessInfo.processInfo.processIdentifier).har")
        atexit { try? FileManager.default.removeItem(at: TemporaryFile.url) }
        return url
    }()

    /// Writes bytes into the file.
    static func write(_ bytes: [UInt8]) {
        guard FileManager.default.createFile(atPath: url.path, contents: Data(bytes)) else { fail("No file \(url).") }
    }

    /// The bytes of the file.
    static var bytes: [UInt8] {
        guard let data = FileManager.default.contents(atPath: url.path) else { fail("No file \(url).") }
        return [UInt8](data)
    }
}
