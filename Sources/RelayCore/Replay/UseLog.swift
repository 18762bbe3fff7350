package import Foundation
package import HTTPArchive

/// A file in which test runs note which archives they played, and which entries of them.
///
/// Any number of processes may write to one: each interceptor adds its lines in one piece when it is stopped.
package struct UseLog: Sendable {
    /// The file.
    package let url: URL

    /// Creates it.
    ///
    /// - Parameter url: The file, which need not be there; its folder must be.
    package init(_ url: URL) { self.url = url }

    /// Adds a line for each archive.
    ///
    /// A file that is created can be read by its owner alone.
    ///
    /// - Parameter lines: What was used.
    /// - Throws: `unwritableFile`.
    package func append(_ lines: [Line]) throws(HARError) {
        guard !lines.isEmpty else { return }
        let text = lines.reduce(into: Data()) { $0 += $1.json.data(layout: .compact) + Data("\n".utf8) }
        // What is appended in one call stands in one piece, whoever else appends meanwhile.
        let file = open(url.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw unwritable(errno) }
        defer { close(file) }
        let count = text.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
        guard count == text.count else { throw unwritable(count < 0 ? errno : ENOSPC) }
    }

    private func unwritable(_ code: Int32) -> HARError {
        HARError(
            .unwritableFile, "What was used of archives cannot be noted: \(String(cString: strerror(code))).",
            at: .init(file: url.path))
    }
}

extension UseLog {
    /// What one interceptor used of one archive.
    package struct Line: Hashable, Sendable {
        /// The path of the archive.
        package var archive: String

        /// The number of its entries.
        package var entryCount: Int

        /// The entries that were given.
        package var used: UsedEntries

        /// What the archive was: ``HARArchive/fingerprint``.
        package var stamp: String

        /// When the interceptor was stopped.
        package var date: Date
    }
}

extension UseLog.Line {
    /// A line as it is written.
    package var json: JSONValue {
        [
            "archive": .string(JSONString(archive)), "entries": .number(JSONNumber(entryCount)),
            "used": .string(JSONString(used.text)), "stamp": .string(JSONString(stamp)),
            "at": .string(JSONString(HAR.text(date))),
        ]
    }

    /// Reads a line; `nil` for one that is no such.
    ///
    /// - Parameter json: The line.
    package init?(_ json: JSONValue) {
        guard let archive = json["archive"]?.text, let count = json["entries"]?.number?.int,
            let used = json["used"]?.text.flatMap({ UsedEntries($0, count: count) }),
            let stamp = json["stamp"]?.text, let date = json["at"]?.text.flatMap({ HAR.date($0) })
        else { return nil }
        self.init(archive: archive, entryCount: count, used: used, stamp: stamp, date: date)
    }
}

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
