import Dispatch
import Foundation
import HTTPArchive
import Synchronization

/// The entries that are most similar to a request by URL and method.
///
/// Sketches of all URLs are compared in parallel. The entries with the most similar sketches are then compared in
/// detail.
struct SimilarEntries {
    /// An entry and its similarity to the request.
    struct Entry {
        /// The index of the archive in the list of archives.
        let archive: Int

        /// The entry index.
        let index: Int

        /// The similarity, from 0 to 1.
        fileprivate let similarity: Double

        fileprivate let key: RequestKey
    }

    /// The maximum number of entries to list.
    private static let limit = 12

    /// The maximum number of listed entries with the same method and URL.
    private static let limitOfOneKey = 4

    /// The minimum path similarity of a listed entry with the same origin.
    private static let leastPathSimilarity = 0.5

    /// The number of bytes at the start of paths that are compared.
    private static let comparedPathSize = 512

    /// The maximum total size of the URLs that are compared in detail, in bytes.
    private static let comparedSize = 1 << 18

    /// The maximum total size of the URLs whose sketches are compared, in bytes.
    private static let sketchedSize = 1 << 26

    /// The total number of entries up to which all entries with the same origin are listed.
    private static let fewEntries = 3

    /// The entries, sorted by decreasing similarity, then by archive and entry index.
    private(set) var entries: [Entry] = []

    private let rule: KeyRule
    private let method: String
    private let origin: String
    private let path: String
    private let items: Set<Substring>
    private let leastPathSimilarity: Double

    /// Finds the entries that are similar to a request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - archives: The archives.
    ///   - rule: The rule that selects the parts of the URL to compare.
    /// - Complexity: O(*n*) in the length of all URLs. At most 64 MB are compared.
    init(to request: ComparedRequest, in archives: [ReplaySource], rule: KeyRule) {
        self.rule = rule
        method = request.request.method.uppercased()
        (origin, path) = Self.location(of: request.url, rule)
        items = Set(request.url.queryItems)
        let count = archives.reduce(0) { $0 + $1.count }
        leastPathSimilarity = count <= Self.fewEntries ? 0 : Self.leastPathSimilarity
        let sketch = RequestSketch(of: request.url)
        var sketchedSize = Self.sketchedSize
        var comparedSize = Self.comparedSize
        for (number, archive) in archives.enumerated() {
            for index in sketch.mostSimilar(in: archive, budget: &sketchedSize) where comparedSize > 0 {
                comparedSize -= archive.request(index).url.utf8.count
                consider(index, of: archive, number)
            }
        }
        entries.sort { ($1.similarity, $0.archive, $0.index) < ($0.similarity, $1.archive, $1.index) }
        var counts: [RequestKey: Int] = [:]
        entries.removeAll { entry in
            counts[entry.key, default: 0] += 1
            return counts[entry.key, default: 0] > Self.limitOfOneKey
        }
        entries = Array(entries.prefix(Self.limit))
    }

    /// Adds an entry if it is similar enough.
    private mutating func consider(_ index: Int, of archive: ReplaySource, _ number: Int) {
        let (method, text) = archive.request(index)
        let url = NormalizedURL(HARRedactor.withoutKeys(text))
        let (origin, path) = Self.location(of: url, rule)
        let pathSimilarity = similarity(ofPath: path)
        let originSimilarity = origin == self.origin ? 1 : EditDistance.similarity(origin, self.origin) / 2
        guard pathSimilarity >= (originSimilarity == 1 ? leastPathSimilarity : 1) else { return }
        let other = url.queryItems
        let common = other.count { items.contains($0) }
        let itemSimilarity = Double(2 * common + 1) / Double(other.count + items.count + 1)
        let similarity =
            0.55 * pathSimilarity + 0.25 * originSimilarity + 0.1 * (method.uppercased() == self.method ? 1 : 0)
            + 0.1 * itemSimilarity
        let key = RequestKey(method: method, url: url, rule: .methodAndURL)
        entries.append(Entry(archive: number, index: index, similarity: similarity, key: key))
    }

    /// Returns the similarity of a path to the request's path: the higher of the similarities by characters and by
    /// segments.
    private func similarity(ofPath other: String) -> Double {
        if other == path { return 1 }
        let letters = EditDistance.similarity(other.lowercased(), path.lowercased())
        let (first, second) = (path.split(separator: "/"), other.split(separator: "/"))
        // Paths that differ only in identifiers have most segments in common.
        let common = zip(first, second).count { $0 == $1 }
        return max(letters, Double(common) / Double(max(first.count, second.count, 1)))
    }

    /// Returns the compared parts of the origin and the path.
    private static func location(of url: NormalizedURL, _ rule: KeyRule) -> (origin: String, path: String) {
        let isFolded = rule.parts.contains(.foldedPath) && !rule.parts.contains(.path)
        let path = isFolded ? url.foldedPath : url.path
        return (url.origin(of: rule.parts), String(decoding: path.utf8.prefix(comparedPathSize), as: UTF8.self))
    }
}

/// The sketches of a request's URL, for comparison with the URLs of entries.
private struct RequestSketch: Sendable {
    /// An entry and the similarity of its URL.
    private struct Candidate {
        let index: Int
        let similarity: Int
    }

    /// The maximum number of entries per archive that are compared in detail.
    private static let limit = 48

    /// The minimum number of entries that one thread compares.
    private static let leastPart = 1 << 14

    /// The URL up to the path: the scheme and the authority, in UTF-8.
    private let beforePath: [UInt8]

    private let authority: [UInt8]
    private let path: TextSketch
    private let query: TextSketch

    init(of url: NormalizedURL) {
        var text = url.description
        (beforePath, authority, path, query) = text.withUTF8 { text in
            let text = UnsafeRawBufferPointer(text)
            let ranges = URLParts(text)
            return (
                [UInt8](text[..<ranges.authority.upperBound]),
                [UInt8](text[ranges.authority]),
                TextSketch(text, ranges.path),
                TextSketch(text, ranges.query)
            )
        }
    }

    /// Returns the indices of the entries with the most similar URLs in an archive.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - budget: The maximum total size of the URLs to compare, in bytes. The size of the compared URLs is subtracted.
    /// - Returns: The entry indices.
    func mostSimilar(in archive: ReplaySource, budget: inout Int) -> [Int] {
        let partCount = max(1, min(ProcessInfo.processInfo.activeProcessorCount, archive.count / Self.leastPart))
        let found = Mutex((candidates: [Candidate](), size: 0))
        let budgetOfPart = budget / partCount
        DispatchQueue.concurrentPerform(iterations: partCount) { part in
            let range = archive.count * part / partCount..<archive.count * (part + 1) / partCount
            var rest = budgetOfPart
            let best = mostSimilar(in: archive, range, budget: &rest)
            found.withLock {
                $0.candidates += best
                $0.size += budgetOfPart - rest
            }
        }
        let (candidates, size) = found.withLock { $0 }
        budget -= size
        let all = candidates.sorted { ($1.similarity, $0.index) < ($0.similarity, $1.index) }
        return all.prefix(Self.limit).map(\.index)
    }

    private func mostSimilar(in archive: ReplaySource, _ range: Range<Int>, budget: inout Int) -> [Candidate] {
        var best: [Candidate] = []
        best.reserveCapacity(Self.limit + 1)
        archive.forEachURL(in: range) { index, url in
            guard budget > 0 else { return }
            budget -= url.count
            let least = best.count < Self.limit ? -1 : best[best.count - 1].similarity
            guard let similarity = similarity(of: url, moreThan: least) else { return }
            let position = best.firstIndex { $0.similarity < similarity } ?? best.count
            best.insert(Candidate(index: index, similarity: similarity), at: position)
            if best.count > Self.limit { best.removeLast() }
        }
        return best
    }

    /// Returns the parts of a URL, and whether its authority equals the request's authority.
    private func parts(of url: UnsafeRawBufferPointer) -> (parts: URLParts, hasSameAuthority: Bool) {
        // Most entries of an archive share the same scheme and authority.
        if url.hasPrefix(beforePath), beforePath.count < url.count, url[beforePath.count] == URLParts.slash {
            return (URLParts(url, authority: beforePath.count - authority.count..<beforePath.count), true)
        }
        let parts = URLParts(url)
        let other = UnsafeRawBufferPointer(rebasing: url[parts.authority])
        return (parts, other.count == authority.count && other.hasPrefix(authority))
    }

    /// Returns the similarity of a URL, or nil if it is at most `least`.
    private func similarity(of url: UnsafeRawBufferPointer, moreThan least: Int) -> Int? {
        let (ranges, hasSameAuthority) = parts(of: url)
        let base = hasSameAuthority ? 1000 : 0
        let path = 4 * path.similarity(to: TextSketch(url, ranges.path))
        // The similarity of the query is at most 1,000.
        guard base + path + 1000 > least else { return nil }
        guard let query = query.similarity(to: url, ranges.query, moreThan: least - base - path) else { return nil }
        return base + path + query
    }
}

/// The ranges of the compared parts of a URL.
///
/// This parser is faster than ``URLRanges`` but can misparse unusual URLs, which then appear less similar.
private struct URLParts {
    let authority: Range<Int>
    let path: Range<Int>
    let query: Range<Int>

    init(_ url: UnsafeRawBufferPointer) {
        var start = 0
        while start + 1 < min(url.count, 9), url[start] != Self.slash || url[start + 1] != Self.slash { start += 1 }
        start = min(start + 2, url.count)
        self.init(url, authority: start..<Self.firstOffset(of: Self.slash, in: url, from: start))
    }

    /// Splits the rest of a URL whose authority is known.
    init(_ url: UnsafeRawBufferPointer, authority: Range<Int>) {
        self.authority = authority
        let pathEnd = Self.firstOffset(of: UInt8(ascii: "?"), in: url, from: authority.upperBound)
        path = authority.upperBound..<pathEnd
        query = pathEnd..<url.count
    }

    /// The slash that precedes the path.
    ///
    /// Two slashes precede the authority.
    static let slash = UInt8(ascii: "/")

    /// Returns the offset of the first occurrence of a byte, or the length of the text if the byte is not found.
    private static func firstOffset(of byte: UInt8, in text: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard start < text.count, let base = text.baseAddress,
            let found = memchr(base + start, Int32(byte), text.count - start)
        else { return text.count }
        return UnsafeRawPointer(found) - base
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func hasPrefix(_ prefix: [UInt8]) -> Bool {
        guard prefix.count <= count, let baseAddress else { return prefix.isEmpty }
        return memcmp(baseAddress, prefix, prefix.count) == 0
    }
}

/// A small summary of a string for estimating the similarity of two strings.
///
/// A sketch is the set of pairs of adjacent bytes, hashed to 128 bits. Creating and comparing sketches is fast enough
/// to find the most similar strings among a million.
struct TextSketch {
    private var low: UInt64 = 0
    private var high: UInt64 = 0

    /// The number of bytes after which the greatest possible similarity is computed again.
    private static let stepSize = 64

    private init(low: UInt64 = 0, high: UInt64 = 0) { (self.low, self.high) = (low, high) }

    /// Creates the sketch of a substring.
    ///
    /// - Parameters:
    ///   - text: The whole string, in UTF-8.
    ///   - range: The byte range of the substring.
    /// - Complexity: O(*n*) in the length of the substring.
    init(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) { add(text, range) }

    /// Adds the pairs of a substring.
    @inline(__always)
    private mutating func add(_ text: UnsafeRawBufferPointer, _ range: Range<Int>) {
        var offset = range.lowerBound
        while offset &+ 1 < range.upperBound {
            // Setting this bit makes ASCII letters case-insensitive.
            let pair = text.loadUnaligned(fromByteOffset: offset, as: UInt16.self) | 0x2020
            let hash = (UInt32(pair) &* 0x9E37_79B1) &>> 25
            let bit: UInt64 = 1 &<< UInt64(hash)
            let highMask: UInt64 = 0 &- UInt64(hash &>> 6)
            low |= bit & ~highMask
            high |= bit & highMask
            offset &+= 1
        }
    }

    /// Returns the similarity of two strings, from 0 to 1,000.
    func similarity(to other: TextSketch) -> Int {
        let common = (low & other.low).nonzeroBitCount + (high & other.high).nonzeroBitCount
        let all = (low | other.low).nonzeroBitCount + (high | other.high).nonzeroBitCount
        return all == 0 ? 1000 : common * 1000 / all
    }

    /// Returns the similarity to a substring, or nil if it is at most `least`.
    ///
    /// A long substring has many pairs that this sketch lacks, so the first part of it is often sufficient for nil.
    func similarity(to text: UnsafeRawBufferPointer, _ range: Range<Int>, moreThan least: Int) -> Int? {
        var other = TextSketch()
        var start = range.lowerBound
        while start < range.upperBound {
            let end = min(start + Self.stepSize, range.upperBound)
            // The last pair of a step ends with the first byte of the next step.
            other.add(text, start..<min(end + 1, range.upperBound))
            start = end
            if similarity(to: TextSketch(low: low | other.low, high: high | other.high)) <= least { return nil }
        }
        let similarity = similarity(to: other)
        return similarity > least ? similarity : nil
    }
}
