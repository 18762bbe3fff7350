import Foundation
import Relay
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// A program that the kill test runs. `Recording FILE SERVER FIRST` requests FIRST and all following numbers from the
// server as fast as possible, four at a time, and records the responses. It prints each number after its response is in
// the file.

/// The requested numbers, and the file to which the exchanges are recorded.
final class Exchanges: Sendable {
    private let file: FileHandle
    private let server: String
    private let next: Mutex<Int>

    init(file: FileHandle, server: String, first: Int) {
        self.file = file
        self.server = server
        next = Mutex(first)
    }

    func makeNext(by session: URLSession) async throws {
        let number = next.withLock { next in
            defer { next += 1 }
            return next
        }
        let url = "\(server)/\(number)"
        guard let address = URL(string: url) else { throw URLError(.badURL) }
        _ = try await session.data(from: address)
        while try !isRecorded("\(url)\"") { await Task.yield() }
        FileHandle.standardOutput.write(Data("recorded \(number)\n".utf8))
    }

    /// Whether the archive is complete and has a URL near its end.
    private func isRecorded(_ url: String) throws -> Bool {
        try next.withLock { _ in
            let size = try file.seekToEnd()
            try file.seek(toOffset: size - min(size, 1 << 16))
            guard let end = try file.readToEnd(), end.suffix(4) == Data("]}}\n".utf8) else { return false }
            return end.range(of: Data(url.utf8)) != nil
        }
    }
}

let arguments = CommandLine.arguments
let archive = URL(fileURLWithPath: arguments[1])
let interceptor = try Interceptor(recordingTo: archive)
let session = interceptor.session()
let exchanges = Exchanges(
    file: try FileHandle(forReadingFrom: archive), server: arguments[2], first: Int(arguments[3]) ?? 0)
try await withThrowingTaskGroup(of: Void.self) { group in
    for _ in 0..<4 {
        group.addTask { while true { try await exchanges.makeNext(by: session) } }
    }
    try await group.waitForAll()
}
