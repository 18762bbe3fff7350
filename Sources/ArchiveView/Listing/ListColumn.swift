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
        case .url: return archive.sortedByURL(indices, isDescending: isDescending)
        case .method, .host, .status, .outcome, .type, .size, .time, .started, .page, .resource:
            let keys = keys(of: indices, in: archive, unknown: isDescending ? -.infinity : .infinity)
            // Positions take less memory than pairs of a key and an index, and become indices in place.
            var sorted = (0..<UInt32(clamping: indices.count)).sorted { first, second in
                let (key, other) = (keys[Int(first)], keys[Int(second)])
                return key == other ? first < second : (key < other) != isDescending
            }
            for place in sorted.indices { sorted[place] = indices[Int(sorted[place])] }
            return sorted
        }
    }

    /// Returns a number for each entry, by which the column is sorted.
    private func keys(of indices: [UInt32], in archive: HARArchive, unknown: Double) -> [Double] {
        switch self {
        case .size, .time, .started, .status:
            return indices.map { number(of: archive.summary(at: Int($0))) ?? unknown }
        default:
            var numbers: [String: UInt32] = [:]
            let recorded = indices.map { index in
                let text = text(of: archive.summary(at: Int(index))) ?? ""
                let number = numbers[text] ?? UInt32(clamping: numbers.count)
                numbers[text] = number
                return number
            }
            // Few texts are different, so only these are converted and compared.
            let texts = numbers.sorted { $0.value < $1.value }.map { shown($0.key) }
            let ranks = Dictionary(uniqueKeysWithValues: zip(Set(texts).sorted(), 0...))
            let keys = texts.map { Double(ranks[$0] ?? 0) }
            return recorded.map { keys[Int($0)] }
        }
    }
}
