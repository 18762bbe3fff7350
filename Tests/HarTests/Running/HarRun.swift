import Foundation

/// A run of the tool in a separate process.
struct HarRun {
    /// The exit status, or the number of the signal that terminated the process.
    let status: Int32

    /// The bytes of standard output.
    let data: Data

    /// The text of standard error.
    let errors: String

    /// The text of standard output.
    var output: String { String(decoding: data, as: UTF8.self) }

    /// Runs the tool with a user cache folder inside the working folder.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after `har`.
    ///   - folder: The working folder.
    ///   - input: Standard input; empty by default.
    /// - Throws: An error if the process cannot be started.
    init(_ arguments: String..., in folder: TemporaryFolder, input: Data = Data()) async throws {
        try await self.init(arguments, in: folder, input: input)
    }

    /// Runs the tool with a list of arguments.
    ///
    /// - Parameters:
    ///   - arguments: The arguments after `har`.
    ///   - folder: The working folder.
    ///   - input: Standard input; empty by default.
    /// - Throws: An error if the process cannot be started.
    init(_ arguments: [String], in folder: TemporaryFolder, input: Data = Data()) async throws {
        try await self.init(Self.tool, arguments, in: folder, input: input)
    }

    /// Runs a shell script, in which `"$HAR"` is the path of the tool.
    ///
    /// - Parameters:
    ///   - script: The script.
    ///   - folder: The working folder.
    /// - Throws: An error if the process cannot be started.
    init(shell script: String, in folder: TemporaryFolder) async throws {
        try await self.init(URL(fileURLWithPath: "/bin/sh"), ["-c", script], in: folder, input: Data())
    }

    /// Runs an executable.
    ///
    /// The output is written to files, because another process that starts at the same time could keep a pipe open.
    private init(_ executable: URL, _ arguments: [String], in folder: TemporaryFolder, input: Data) async throws {
        let files = try TemporaryFolder()
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HAR": Self.tool.path, "XDG_CACHE_HOME": folder.caches.path, "CFFIXED_USER_HOME": folder.caches.path,
            "LC_ALL": "C", "NO_COLOR": "1", "TERM": "xterm",
            "XDG_DATA_HOME": folder.url.appendingPathComponent("data").path,
        ]) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: files.write(input, to: "input"))
        let output = try files.write(Data(), to: "output")
        let errors = try files.write(Data(), to: "errors")
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: errors)
        status = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
        data = try Data(contentsOf: output)
        let text = String(decoding: try Data(contentsOf: errors), as: UTF8.self)
        self.errors = text.replacing(folder.url.path, with: "FOLDER")
    }

    /// The tool, which is built next to the test bundle.
    static let tool: URL = {
        let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        let folder = bundle ?? Bundle.main.executableURL ?? Bundle.main.bundleURL
        return folder.deletingLastPathComponent().appendingPathComponent("har")
    }()
}
