import Foundation
import Testing

/// Runs programs of this package with modified environment variables.
enum TestProgram {
    /// Runs a program, waits until it exits, and returns its output.
    ///
    /// - Parameters:
    ///   - name: The name of the program's target.
    ///   - arguments: The command-line arguments.
    ///   - changes: The changes to the environment, where nil removes a variable.
    /// - Returns: The lines that the program writes to standard output and standard error.
    /// - Throws: An error if the program cannot be run.
    static func lines(
        of name: String, _ arguments: [String], environment changes: [String: String?]
    ) async throws -> [String] {
        let process = Process()
        let tests = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.executableURL = tests.deletingLastPathComponent().appendingPathComponent(name)
        process.arguments = arguments
        var environment = ProcessInfo.processInfo.environment
        for (name, value) in changes { environment[name] = value }
        process.environment = environment
        let output = try #require(FileManager.default.temporaryFile())
        process.standardOutput = output
        process.standardError = output
        try await process.runToEnd()
        #expect(process.terminationReason == .exit)
        try output.seek(toOffset: 0)
        let text = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        return text.split(separator: "\n").map(String.init)
    }
}

extension FileManager {
    /// Creates, opens and unlinks a temporary file, which is deleted when it is closed.
    fileprivate func temporaryFile() -> FileHandle? {
        let url = temporaryDirectory.appendingPathComponent("relay-\(UUID().uuidString)")
        guard createFile(atPath: url.path, contents: nil) else { return nil }
        defer { try? removeItem(at: url) }
        return try? FileHandle(forUpdating: url)
    }
}

extension Process {
    /// Runs the program and waits until it exits, without blocking the thread.
    fileprivate func runToEnd() async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            terminationHandler = { _ in continuation.resume() }
            do { try run() } catch { continuation.resume(throwing: error) }
        }
    }
}
