import Foundation
import HTTPArchive
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Compares responses from an archive with responses from a minimal URL protocol.
enum Answering {
    private static let rounds = 20
    private static let requests = 200

    /// Measures responses to random requests from an archive.
    static func any(_ url: URL) async throws -> Outcome {
        let archive = try HARArchive(contentsOf: url)
        var generator = SeededGenerator(state: 4)
        let urls = try (0..<requests).compactMap { _ in
            URL(string: try archive.entry(at: .random(in: 0..<archive.count, using: &generator)).request.url)
        }
        let interceptor = try Interceptor(archive: url)
        var outcome = try await compare(interceptor, asking: urls)
        outcome.entries = archive.count
        return outcome
    }

    /// Measures a response from an archive in memory that equals the bare protocol's response.
    static func kilobyte() async throws -> Outcome {
        guard let url = URL(string: "http://shop.example/item") else { throw URLError(.badURL) }
        return try await compare(Interceptor(entries: [.bare(url)]), asking: [URL](repeating: url, count: requests))
    }

    /// Returns the median times per response, measured in alternating rounds.
    private static func compare(_ interceptor: Interceptor, asking urls: [URL]) async throws -> Outcome {
        let bare = URLSession.bare
        let session = interceptor.session()
        var times: [Double] = []
        var bareTimes: [Double] = []
        for _ in 0..<rounds {
            times.append(try await seconds { for url in urls { _ = try await session.data(from: url) } })
            bareTimes.append(try await seconds { for url in urls { _ = try await bare.data(from: url) } })
        }
        let count = Double(urls.count)
        return Outcome(seconds: median(times) / count, bareSeconds: median(bareTimes) / count)
    }

    private static func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}
