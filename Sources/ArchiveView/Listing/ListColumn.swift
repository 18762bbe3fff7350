import Foundation
import HTTPArchive

/// A column of the list by which entries can be sorted.
enum ListColumn: String, CaseIterable, Sendable {
    case index, method, url, host, status, type, size, time, started, page, resource

    /// Returns the value of an entry in a column of numbers, or nil if it is unknown.
    private func number(of summary: HAREntrySummary) -> Double? {
        switch self {
        case .status: Double(summary.status)
        case .size: summary.size.map(Double.init)
        case .time: summary.time
        case .started: summary.startedMilliseconds
        default: nil
        }
    }

    /// Returns the value of an entry in a column of texts, or nil in a column of numbers.
    private func text(of summary: HAREntrySummary) -> String? {
        switch self {
        case .method: summary.method
        case .host: summary.host
        case .type: summary.essence
        case .page: summary.pageref ?? ""
        case .resource: summary.resourceType ?? ""
        case .index, .url, .status, .size, .time, .started: nil
        }
    }

    /// Returns indices in the order of the column.
    ///
    /// Equal values are in the order of the archive. Unknown values are last.
    ///
    /// - Parameters:
    ///   - indices: The indices, in ascending order.
    ///   - isDescending: Whether the largest value is first.
    ///   - entries: The entries.
    /// - Returns: The sorted indices.
    /// - Complexity: O(*n* log *n*).
    func sorted(_ indices: [UInt32], isDescending: Bool, in entries: any ViewedEntries) -> [UInt32] {
        switch self {
        case .index: return isDescending ? indices.reversed() : indices
        case .url: return sortedByURL(indices, isDescending: isDescending, in: entries)
        default: break
        }
        var keyed: [(key: Double, index: UInt32)] = []
        keyed.reserveCapacity(indices.count)
        var unknown: [UInt32] = []
        // Few texts are different, so each is compared with others only once.
        var numbers: [String: Int] = [:]
        for index in indices {
            let summary = entries.summary(at: Int(index))
            if let text = text(of: summary) {
                let number = numbers[text] ?? numbers.count
                if number == numbers.count { numbers[text] = number }
                keyed.append((Double(number), index))
            } else if let number = number(of: summary) {
                keyed.append((number, index))
            } else {
                unknown.append(index)
            }
        }
        if !numbers.isEmpty {
            let texts = numbers.sorted { $0.key < $1.key }
            var ranks = [Double](repeating: 0, count: texts.count)
            for (rank, text) in texts.enumerated() { ranks[text.value] = Double(rank) }
            for position in keyed.indices { keyed[position].key = ranks[Int(clamping: keyed[position].key)] }
        }
        keyed.sort { first, second in
            if first.key == second.key { return first.index < second.index }
            return (first.key < second.key) != isDescending
        }
        return keyed.map(\.index) + unknown
    }

    private func sortedByURL(_ indices: [UInt32], isDescending: Bool, in entries: any ViewedEntries) -> [UInt32] {
        var texts: [UInt8] = []
        var starts: [Int] = [0]
        var selected = indices[...]
        entries.forEachURL(in: 0..<entries.count) { index, url in
            guard let next = selected.first, Int(next) == index else { return }
            selected.removeFirst()
            texts.append(contentsOf: url)
            starts.append(texts.count)
        }
        let positions = texts.withUnsafeBytes { texts in
            (0..<UInt32(clamping: starts.count - 1)).sorted { first, second in
                let one = UnsafeRawBufferPointer(rebasing: texts[starts[Int(first)]..<starts[Int(first) + 1]])
                let other = UnsafeRawBufferPointer(rebasing: texts[starts[Int(second)]..<starts[Int(second) + 1]])
                if one.elementsEqual(other) { return first < second }
                return one.lexicographicallyPrecedes(other) != isDescending
            }
        }
        return positions.map { indices[Int($0)] }
    }
}

extension HAREntrySummary {
    /// The start time in milliseconds since 1970, or nil if it is missing or invalid.
    var startedMilliseconds: Double? { HAR.date(startedDateTime).map { $0.timeIntervalSince1970 * 1000 } }

    /// Returns a span of time, in milliseconds since 1970, extended by the exchange.
    func span(joining span: ClosedRange<Double>?) -> ClosedRange<Double>? {
        guard let start = startedMilliseconds else { return span }
        let end = start + max(0, time ?? 0)
        return min(span?.lowerBound ?? start, start)...max(span?.upperBound ?? end, end)
    }

    /// The host of the URL with its port, or an empty string.
    var host: String { String(LiteralURL(url).authority).lowercased() }

    /// The media type without its parameters, or an empty string.
    var essence: String { Self.essence(of: mimeType) }

    static func essence(of type: String) -> String { type.prefix { $0 != ";" }.trimming(.whitespaces).lowercased() }
}
