import Foundation
import HTTPArchive
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Measures requests for the same 1,000 bytes, in sequence and concurrently.
enum Exchanges {
    private static let requests = 1_000
    private static let width = 100

    /// Measures different kinds of responses alternately, including responses from a live server.
    ///
    /// - Parameters:
    ///   - subjects: The names of the kinds, or an empty list for all kinds.
    ///   - server: The URL of the server's response.
    ///   - rounds: The number of measurements of each kind.
    /// - Returns: The measurements.
    /// - Throws: The error of a request.
    static func measure(_ subjects: Set<String>, server: URL, rounds: Int) async throws -> Series {
        var series = Series()
        let kinds = try kinds(server: server).filter { subjects.isEmpty || subjects.contains($0.subject) }
        for _ in 0..<rounds {
            for (subject, session, url) in kinds {
                try await series.time(subject, in: "sequential", count: requests) {
                    for _ in 0..<requests { try await ask(session, for: url) }
                }
                try await series.time(subject, in: "concurrent", count: requests) {
                    try await askAtATime(session, for: url)
                }
            }
        }
        return series
    }

    private static func kinds(server: URL) throws -> [(subject: String, session: URLSession, url: URL)] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("answering-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var asItIs = Interceptor.Configuration()
        asItIs.recording.redaction = nil
        guard let url = URL(string: "http://shop.example/item") else { throw URLError(.badURL) }
        let reply = Reply.data(BareProtocol.body, type: "application/json")
        return [
            ("bare", .bare, url),
            ("archive", Interceptor(entries: [.bare(url)]).session(), url),
            ("stub", session(.stub(.any, reply)), url),
            ("closure", session(.stub(.any) { _ in reply }), url),
            ("override", session(.override(.any, .jsonMembers(["token": "fresh"])), playing: [.bare(url)]), url),
            ("changing", session(.override(.any, .changing { $1 }), playing: [.bare(url)]), url),
            ("server", .plain, server),
            ("passThrough", session(.passThrough(.any)), server),
            ("recorded", try Interceptor(recordingTo: folder.appendingPathComponent("a.har")).session(), server),
            (
                "recordedAsItIs",
                try Interceptor(recordingTo: folder.appendingPathComponent("b.har"), configuration: asItIs).session(),
                server
            ),
        ]
    }

    private static func session(_ rule: Rule, playing entries: [HAR.Entry] = []) -> URLSession {
        let interceptor = Interceptor(entries: entries)
        interceptor.add(rule)
        return interceptor.session()
    }

    private static func ask(_ session: URLSession, for url: URL) async throws {
        let (body, _) = try await session.data(from: url)
        // An override can change the length of the token.
        guard (998...1_000).contains(body.count) else { throw URLError(.cannotDecodeContentData) }
    }

    private static func askAtATime(_ session: URLSession, for url: URL) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<requests {
                if number >= width { try await group.next() }
                group.addTask { try await ask(session, for: url) }
            }
            try await group.waitForAll()
        }
    }
}
