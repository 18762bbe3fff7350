import Foundation
import HTTPArchive

/// A column of the list by which entries can be sorted or counted.
enum ListColumn: String, CaseIterable, Sendable {
    case index, method, url, host, status, outcome, type, size, time, started, page, resource

    /// Returns the value of an entry in a column of numbers, or nil if it is unknown.
    func number(of summary: HAREntrySummary) -> Double? {
        switch self {
        case .status: Double(summary.status)
        case .size: summary.size.map(Double.init)
        case .time: summary.time
        case .started: summary.startedDate?.timeIntervalSince1970
        default: nil
        }
    }

    /// Returns the recorded text that determines the value in a column with few different values, or nil if it is
    /// missing.
    func text(of summary: HAREntrySummary) -> String? {
        switch self {
        case .method: summary.method
        // Few texts before the path are different, so only their hosts are converted.
        case .host: String(LiteralURL(summary.url).beforePath)
        case .status: String(summary.status)
        case .outcome: summary.isFailed || summary.status < 100 ? "failed" : String(summary.status)
        case .type: summary.mimeType
        case .page: summary.pageref
        case .resource: summary.resourceType
        case .index, .url, .size, .time, .started: nil
        }
    }

    /// Returns the value that the page shows for a recorded text: a lowercase host with its port, a media type without
    /// parameters, or the class of a status, such as `4xx`.
    func shown(_ text: String) -> String {
        switch self {
        case .host: LiteralURL(text).authority.lowercased()
        case .type: text.prefix { $0 != ";" }.trimming(.whitespaces).lowercased()
        case .outcome: Int(text).map { "\($0 / 100)xx" } ?? text
        default: text
        }
    }

    /// Returns indices in the order of the column.
    ///
    /// Equal values are in the order of the archive. Unknown values are last.
    ///
    /// - Parameters:
    ///   - indices: The indices, in ascending order.
    ///   - isDescending: Whether the largest value is first.
    ///   - archive: The archive.
    /// - Returns: The sorted indices.
    /// - Complexity: O(*n* log *n*).
    func sorted(_ indices: [UInt32], isDescending: Bool, in archive: HARArchive) -> [UInt32] {
        switch self {
        case .index: return isDescending ? indices.reversed() : indices
        case .url: return sortedByURL(indices, isDescending: isDescending, in: archive)
        case .method, .host, .outcome, .type, .page, .resource:
            var groups: [String: [UInt32]] = [:]
            for index in indices {
                groups[text(of: archive.summary(at: Int(index))) ?? "", default: []].append(index)
            }
            // Few texts are different, so only these are compared.
            let names = Dictionary(grouping: groups.keys, by: shown).sorted { ($0.key < $1.key) != isDescending }
            return names.flatMap { _, texts in texts.flatMap { groups[$0] ?? [] }.sorted() }
        case .status, .size, .time, .started:
            let unknown = isDescending ? -Double.infinity : .infinity
            var keys = indices.map { (key: number(of: archive.summary(at: Int($0))) ?? unknown, index: $0) }
            keys.sort { first, second in
                first.key == second.key ? first.index < second.index : (first.key < second.key) != isDescending
            }
            return keys.map(\.index)
        }
    }

    private func sortedByURL(_ indices: [UInt32], isDescending: Bool, in archive: HARArchive) -> [UInt32] {
        var size = 0
        archive.forEachURL(in: 0..<archive.count) { _, url in size += url.count }
        var texts: [UInt8] = []
        // An array that grows would temporarily need twice the memory.
        texts.reserveCapacity(size)
        var starts: [Int] = [0]
        starts.reserveCapacity(indices.count + 1)
        var selected = indices[...]
        archive.forEachURL(in: 0..<archive.count) { index, url in
            guard let next = selected.first, Int(next) == index else { return }
            selected.removeFirst()
            texts.append(contentsOf: url)
            starts.append(texts.count)
        }
        let positions = texts.withUnsafeBytes { texts in
            (0..<UInt32(clamping: starts.count - 1)).sorted { first, second in
                let one = starts[Int(first)]..<starts[Int(first) + 1]
                let other = starts[Int(second)]..<starts[Int(second) + 1]
                guard let base = texts.baseAddress else { return first < second }
                let order = memcmp(base + one.lowerBound, base + other.lowerBound, min(one.count, other.count))
                if order != 0 { return (order < 0) != isDescending }
                return one.count == other.count ? first < second : (one.count < other.count) != isDescending
            }
        }
        return positions.map { indices[Int($0)] }
    }
}
