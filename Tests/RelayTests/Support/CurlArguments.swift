import Foundation

/// The arguments that a shell passes to `curl`, captured by a shell function of that name.
struct CurlArguments {
    let arguments: [String]
    let input: Data

    /// Runs a command and captures the arguments and the input of `curl`.
    init(running command: String) async throws {
        let output = try await Self.output(of: #"curl() { printf '%s\0' "$#" "$@"; cat; }"# + "\n\(command)\n")
        var rest = output[...]
        func next() -> String {
            let part = rest.prefix { $0 != 0 }
            rest = rest[part.endIndex...].dropFirst()
            return String(decoding: part, as: UTF8.self)
        }
        let count = Int(next()) ?? 0
        arguments = (0..<count).map { _ in next() }
        input = Data(rest)
    }

    /// Returns the output of a shell script.
    ///
    /// The output goes to a file because a process started at the same time could inherit a pipe and keep it open.
    static func output(of script: String) async throws -> Data {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("curl-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (file, result) = (folder.appendingPathComponent("script"), folder.appendingPathComponent("output"))
        try Data(script.utf8).write(to: file)
        try Data().write(to: result)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = [file.path]
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: result)
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        return try Data(contentsOf: result)
    }
}
