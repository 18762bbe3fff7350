import Foundation
import HTTPArchive

/// A request that no entry answers.
struct Miss {
    /// The number of entries that a report names.
    private static let nearestCount = 3

    private let request: RequestKey
    private let archive: String
    private let count: Int
    private let nearest: [RequestKey]

    /// Finds the nearest keys.
    ///
    /// - Complexity: O(*n*) in the number of keys.
    init(request: RequestKey, archive: String, count: Int, keys: some Sequence<RequestKey>) {
        self.request = request
        self.archive = archive
        self.count = count
        var best: [(key: RequestKey, score: Int)] = []
        for key in keys {
            let score = Self.likeness(of: key, to: request)
            guard score > 0, best.count < Self.nearestCount || score >= (best.last?.score ?? 0) else { continue }
            guard !best.contains(where: { $0.key == key }) else { continue }
            best.append((key, score))
            best.sort { ($0.score, $1.key.description) > ($1.score, $0.key.description) }
            best = Array(best.prefix(Self.nearestCount))
        }
        nearest = best.map(\.key)
    }

    /// The error that says so.
    var error: HARError {
        var text = "No entry answers \(request)."
        if count == 0 {
            text += " The archive has no entries."
        } else if nearest.isEmpty {
            text += " None of its \(count) entries is of that host."
        } else {
            text += " Nearest of its \(count) entries:"
            for key in nearest { text += "\n  \(key) (\(differences(of: key)))" }
        }
        return HARError(.noMatchingEntry, text, at: .init(file: archive))
    }

    /// What keeps an entry from answering, part by part.
    private func differences(of key: RequestKey) -> String {
        let parts = [
            ("method", key.method == request.method), ("host", key.url.origin == request.url.origin),
            ("path", key.url.path == request.url.path), ("query", key.url.query == request.url.query),
        ]
        return "other " + parts.filter { !$0.1 }.map(\.0).joined(separator: ", ")
    }

    /// How near a key is; 0 for one that has nothing in common with the request.
    private static func likeness(of key: RequestKey, to request: RequestKey) -> Int {
        let segments = zip(key.url.path.split(separator: "/"), request.url.path.split(separator: "/"))
        let common = segments.prefix { $0 == $1 }.count
        let isSamePath = key.url.path == request.url.path
        guard key.url.origin == request.url.origin || isSamePath else { return 0 }
        let items = Set(key.url.queryItems).intersection(request.url.queryItems).count
        return (key.url.origin == request.url.origin ? 1_000 : 100) + (isSamePath ? 400 : min(common, 20) * 10)
            + min(items, 20) * 4 + (key.method == request.method ? 3 : 0)
    }
}

extension RequestKey: CustomStringConvertible {
    /// Method and URL.
    package var description: String { "\(method) \(url)" }
}
