import Foundation
import HTTPArchive
import Relay

/// The entries for URLs that somebody asks for.
struct Recordings {
    private let archive: HARArchive
    private var indices: [RequestKey: [Int]]
    private var turns: [RequestKey: Int] = [:]

    /// Looks for the entries.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - urls: The URLs that will be asked for, with GET.
    /// - Throws: What reading the archive throws.
    init(in file: Input, of urls: [String]) throws(HARError) {
        var full: [RequestKey: [Int]] = [:]
        var partial: [RequestKey: [Int]] = [:]
        let keys = Set(urls.map { RequestKey(method: "GET", url: $0) })
        archive = try file.archive()
        for index in 0..<archive.count {
            let summary = archive.summary(at: index)
            let key = RequestKey(method: summary.method, url: summary.url)
            guard keys.contains(key) else { continue }
            let entry = try archive.entry(at: index)
            let request = entry.request
            let isConditional = request.header("if-none-match") != nil || request.header("if-modified-since") != nil
            if isConditional || entry.response.status == 304 {
                partial[key, default: []].append(index)
            } else {
                full[key, default: []].append(index)
            }
        }
        indices = partial.merging(full) { $1 }
    }

    /// The next entry for a URL, the last one again when there is no more; `nil` when there is none.
    mutating func next(for url: String) throws(HARError) -> (entry: HAR.Entry, index: Int)? {
        let key = RequestKey(method: "GET", url: url)
        guard let list = indices[key], let last = list.last else { return nil }
        let turn = turns[key, default: 0]
        turns[key] = turn + 1
        let index = turn < list.count ? list[turn] : last
        return (try archive.entry(at: index), index)
    }
}
