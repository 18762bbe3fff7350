import Foundation
import Measuring
import Relay

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// How long an answer takes among few and many entries, through `URLSession`.
///
/// The columns are the numbers of entries.
enum Matching {
    private static let requests = 50
    private static let repetitions = 4

    /// Answers by method and URL, and by all that counts, of archives whose entries have URLs of their own.
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

    /// Answers of archives whose entries are all POSTs to one URL, so that the body decides.
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
                    // The session has its first request behind it; this one is for another key.
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

    /// Has questions asked for the first time and then again, and by a session with the bare protocol.
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

    /// Few where each takes long.
    private static func misses(of archive: SearchedArchive, round: Int) -> [SearchedArchive.Question] {
        (0..<(archive.count < 100_000 ? 10 : 1)).compactMap { archive.miss(path: "/none/\(round)/\($0)") }
    }
}
