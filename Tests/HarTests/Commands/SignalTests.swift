import Foundation
import HTTPArchive
import Synchronization
import TestSupport
import Testing

/// Tests of the files that remain after a signal has terminated the tool.
@Suite(.limited) struct SignalTests {
    /// Runs the tool with a pipe as its input, and sends it a signal after it has read many bytes.
    ///
    /// - Parameters:
    ///   - arguments: The arguments; `pipe` is the input.
    ///   - number: The signal.
    ///   - shell: The shell command that starts the tool.
    ///   - folder: The working folder, which contains a folder `tmp` for temporary files.
    /// - Returns: The number of the signal that terminated the tool.
    /// - Throws: An error if the tool cannot be started or the pipe cannot be written to.
    private func end(
        _ arguments: [String], by number: Int32, shell: String, in folder: TemporaryFolder
    ) async throws -> Int32 {
        let pipe = folder.url.appendingPathComponent("pipe").path
        // A process that starts at the same time could keep an old pipe open, and with it the bytes of the last run.
        unlink(pipe)
        #expect(mkfifo(pipe, 0o600) == 0)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", shell + " \"$0\" \"$@\"", HarRun.tool.path] + arguments
        process.currentDirectoryURL = folder.url
        process.environment = ProcessInfo.processInfo.environment.merging([
            "TMPDIR": folder.url.appendingPathComponent("tmp").path
        ]) { $1 }
        process.standardError = FileHandle.nullDevice
        let end = End()
        process.terminationHandler = { end.note($0) }
        try process.run()
        let writer = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        defer { close(writer) }
        let entry = #"{"comment":"\#(String(repeating: "x", count: 100_000))"},"#
        // The pipe and the tool's buffers cannot hold this many bytes, so the tool has started to write its output when
        // the last byte is written.
        let text = #"{"log":{"entries":["# + String(repeating: entry, count: 40)
        try #require(await Self.write(Array(text.utf8), to: writer, unless: end))
        kill(process.processIdentifier, number)
        #expect(await end.reason == .uncaughtSignal)
        return process.terminationStatus
    }

    /// Writes bytes to a pipe on a separate thread, as fast as they are read.
    ///
    /// - Returns: Whether all bytes were written before the reader exited.
    private static func write(_ bytes: [UInt8], to pipe: Int32, unless end: End) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var rest = bytes[...]
                while !rest.isEmpty, !end.isKnown {
                    let count = rest.withUnsafeBytes { Foundation.write(pipe, $0.baseAddress, $0.count) }
                    rest = rest.dropFirst(max(0, count))
                    var state = pollfd(fd: pipe, events: Int16(POLLOUT), revents: 0)
                    poll(&state, 1, 100)
                }
                continuation.resume(returning: rest.isEmpty)
            }
        }
    }

    private func names(in folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.url.path).sorted()
    }

    /// The shell commands that start the tool: normally, and in a namespace where unnamed files are not available.
    private static let shells = [
        "exec", "exec unshare -rm sh -c 'mount -t tmpfs none /proc/$$/fd && exec \"$0\" \"$@\"'",
    ]

    @Test(arguments: shells, [SIGINT, SIGTERM, SIGHUP])
    func `a signal removes temporary files and leaves the output unchanged`(shell: String, number: Int32) async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("tmp"), withIntermediateDirectories: false)
        try folder.write(.shop, to: "shop.har")
        try folder.write(Data("old".utf8), to: "old")
        guard try await HarRun(shell: shell + " true", in: folder).status == 0 else { return }
        let before = try names(in: folder)
        for arguments in Cases.some(
            4,
            of: [
                ["copy", "pipe", "new"], ["copy", "pipe", "old"], ["redact", "pipe", "new"],
                ["filter", "--status", "200", "pipe", "new"],
                ["merge", "shop.har", "pipe", "new"], ["split", "--by", "host", "pipe", "parts"],
                ["export", "--to", "curl", "pipe", "new"], ["export", "--to", "dvr", "pipe", "new"],
                ["table", "pipe", "-o", "new"],
            ])
        {
            #expect(try await end(arguments, by: number, shell: shell, in: folder) == number, "\(arguments)")
            #expect(try names(in: folder).filter { $0 != "pipe" } == before, "\(arguments)")
        }
        #expect(try folder.read("old") == Data("old".utf8))
    }

    @Test func `a signal that is ignored at launch stays ignored`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let script = """
            trap '' HUP; mkfifo pipe; "$HAR" copy pipe new & exec 3> pipe; kill -HUP $!; cat shop.har >&3; exec 3>&-; wait $!
            """
        #expect(try await HarRun(shell: script, in: folder).status == 0)
        #expect(try folder.read("new") == folder.read("shop.har"))
    }
}

/// The termination of a process.
private final class End: Sendable {
    private let stream: AsyncStream<Process.TerminationReason>
    private let continuation: AsyncStream<Process.TerminationReason>.Continuation
    private let flag = Atomic(false)

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    /// Whether the process has ended.
    var isKnown: Bool { flag.load(ordering: .acquiring) }

    /// The reason why the process ended, or nil if it is running.
    var reason: Process.TerminationReason? {
        get async { await stream.first { _ in true } }
    }

    func note(_ process: Process) {
        flag.store(true, ordering: .releasing)
        continuation.yield(process.terminationReason)
    }
}
