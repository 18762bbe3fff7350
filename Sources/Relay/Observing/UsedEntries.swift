package import Foundation

/// Which entries of an archive were used, with a short text of it.
package struct UsedEntries: Hashable, Sendable {
    /// What a text begins with that has a bit for each entry.
    private static let bitsPrefix = "bits:"

    /// The places of the entries, counted from 0.
    package var indices: IndexSet

    /// Creates it.
    ///
    /// - Parameter indices: The places of the entries; none by default.
    package init(_ indices: IndexSet = IndexSet()) { self.indices = indices }

    /// Creates it from its text; `nil` when that is another text, or names entries that there are not.
    ///
    /// - Parameters:
    ///   - text: What ``text`` gave.
    ///   - count: The number of entries of the archive.
    package init?(_ text: String, count: Int) {
        var indices = IndexSet()
        if text.hasPrefix(Self.bitsPrefix) {
            guard let bits = Data(base64Encoded: String(text.dropFirst(Self.bitsPrefix.count))) else { return nil }
            for (place, byte) in bits.enumerated() where byte != 0 {
                for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 { indices.insert(place * 8 + bit) }
            }
        } else {
            for range in text.split(separator: ",") {
                let ends = range.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int($0) }
                guard let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 0, first <= last,
                    last < count
                else { return nil }
                indices.insert(integersIn: first...last)
            }
        }
        guard (indices.last ?? -1) < count else { return nil }
        self.init(indices)
    }

    /// The entries that were given.
    init(of turns: Turns, count: Int) {
        var indices = IndexSet()
        var start: Int?
        for index in 0...count {
            let isUsed = index < count && turns.isUsed(index)
            if isUsed {
                start = start ?? index
            } else if let first = start {
                indices.insert(integersIn: first..<index)
                start = nil
            }
        }
        self.init(indices)
    }

    /// Such as `0-3,7`, or a bit for each entry in base64 behind `bits:` where that is shorter.
    package var text: String {
        guard let last = indices.last else { return "" }
        let bitsLength = (last / 8 + 3) / 3 * 4
        var text = ""
        for range in indices.rangeView {
            if !text.isEmpty { text += "," }
            text += range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
            if text.utf8.count > bitsLength + 64 { return bits(upTo: last) }
        }
        return text
    }

    private func bits(upTo last: Int) -> String {
        var bits = Data(count: last / 8 + 1)
        for range in indices.rangeView {
            for index in range { bits[index / 8] |= 1 << UInt8(index % 8) }
        }
        return Self.bitsPrefix + bits.base64EncodedString()
    }
}
