import Foundation
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The time of a response through `URLSession` from archives with few and many entries.
///
/// The columns are the numbers of entries.
enum Matching {
    private static let requests = 50
    private static let repetitions = 4

    /// Measures matching by method and URL, and by all criteria, in archives whose entries have different URLs.
    static func ownURLs(of archives: [URL], rounds: Int) async throws -> Series {
        var series = Series()
        let ways = [("standard", RequestMatching.standard), ("strict", .strict)]
        var searched = try archives.flatMap { archive in
            try ways.map { (way: $0, archive: try SearchedArchive(archive, matching: $1)) }
        }
        for round in 0..<rounds {
            for place in searched.indices {
                let (way, column) = (searched[place].way, String(searched[place].archive.count))
                let questions = try await searched[place].archive.next(requests)
                try await measure(questions, to: &series, by: way, in: column)
                let misses = misses(of: searched[place].archive, round: round)
                await series.time("\(way) miss", in: column, count: misses.count) {
                    for miss in misses { try? await miss.ask() }
                }
            }
        }
        return series
    }

    /// Measures archives of POST requests to one URL that differ only in their bodies.
    static func oneURL(of archives: [URL], rounds: Int) async throws -> Series {
        var series = Series()
        let ways = [("standard", RequestMatching.standard), ("graphQL", .graphQL)]
        for _ in 0..<max(1, rounds / 5) {
            for archive in archives {
                for (way, matching) in ways {
                    var searched = try SearchedArchive(archive, matching: matching)
                    let column = String(searched.count)
                    try searched.renew()
                    let opened = residentMemory()
                    // The session's first request is an unmeasured miss. The measured request builds another index.
                    try? await searched.miss(path: "/first")?.ask()
                    let first = try await searched.next(1)
                    try await series.time("\(way) key", in: column, count: 1) {
                        for one in first { try await one.ask() }
                    }
                    if let opened, let after = residentMemory() {
                        series.add(Double(after - opened), of: "\(way) memory", in: column)
                    }
                    for _ in 0..<5 {
                        let questions = try await searched.next(min(requests, max(1, searched.count / 5 - 1)))
                        try await measure(questions, to: &series, by: way, in: column)
                    }
                    searched.close()
                }
            }
        }
        return series
    }

    /// Measures the first and later responses to each request, and then a session with the bare protocol.
    private static func measure(
        _ questions: [SearchedArchive.Question], to series: inout Series, by way: String, in column: String
    ) async throws {
        try await series.time("\(way) first", in: column, count: questions.count) {
            for question in questions { try await question.ask() }
        }
        try await series.time("\(way) later", in: column, count: questions.count * repetitions) {
            for _ in 0..<repetitions {
                for question in questions { try await question.ask() }
            }
        }
        let bare = URLSession.bare
        try await series.time("\(way) bare", in: column, count: questions.count * repetitions) {
            for _ in 0..<repetitions {
                for question in questions { _ = try await bare.data(for: question.request) }
            }
        }
        bare.invalidateAndCancel()
    }

    /// Returns a few requests without a matching entry.
    ///
    /// Each takes a long time.
    private static func misses(of archive: SearchedArchive, round: Int) -> [SearchedArchive.Question] {
        (0..<(archive.count < 100_000 ? 10 : 1)).compactMap { archive.miss(path: "/none/\(round)/\($0)") }
    }
}
