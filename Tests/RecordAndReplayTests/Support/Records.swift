import Foundation
import HTTPArchive
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A temporary folder for the recordings of one test.
final class Records: Sendable {
    /// The path of an imaginary source file in the folder.
    ///
    /// Recordings are stored next to it.
    let file: String

    private let root: URL

    init() throws {
        root = FileManager.default.temporaryDirectory
            .appendingPathComponent("RecordAndReplayTests-\(UUID().uuidString)", isDirectory: true)
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        file = root.appendingPathComponent("SomeTests.swift").path
    }

    deinit { try? FileManager.default.removeItem(at: root) }

    /// Returns the folder of a function's recordings.
    func folder(_ name: String) -> URL { root.appendingPathComponent("__RelayRecords__/\(name)", isDirectory: true) }

    /// Returns the names of the files in the folder of a function's recordings.
    func names(in name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder(name).path).sorted()
    }

    /// Returns the entries of a function's archive.
    func entries(of name: String) throws -> [HAR.Entry] {
        let archive = try HARArchive(contentsOf: folder(name).appendingPathComponent("\(name).har"))
        return try (0..<archive.count).map { try archive.entry(at: $0) }
    }

    /// Writes a file into the folder of a function's recordings.
    func write(_ text: String, to file: String, in name: String) throws {
        try FileManager.default.createDirectory(at: folder(name), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder(name).appendingPathComponent(file))
    }
}

extension URLSession {
    /// Returns the response body for a URL as text.
    func text(_ url: String) async throws -> String {
        String(decoding: try await data(for: request(url)).0, as: UTF8.self)
    }

    /// Returns the response to a request: its body as text, and its head.
    func answer(_ request: URLRequest) async throws -> (text: String, head: HTTPURLResponse) {
        let (data, response) = try await data(for: request)
        guard let head = response as? HTTPURLResponse else { throw URLError(.badServerResponse) }
        return (String(decoding: data, as: UTF8.self), head)
    }
}

func request(_ url: String, method: String = "GET", body: String? = nil) -> URLRequest {
    var request = URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: url))
    request.httpMethod = method
    request.httpBody = body.map { Data($0.utf8) }
    return request
}

/// Runs a test while another interceptor is active.
///
/// Only requests of the test's own task are intercepted, not the requests of parallel tests.
func besideAnother(_ test: @escaping @Sendable () async throws -> Void) async throws {
    try await Interceptor(name: "another").interceptEverySession { try await Task.detached { try await test() }.value }
}
