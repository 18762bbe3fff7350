package import Foundation
package import HTTPArchive

/// A log file of the archives and entries that test runs have replayed.
///
/// Several processes can share the file. When an interceptor is stopped, it appends its lines in a single write.
package struct UseLog: Sendable {
    /// The location of the file.
    package let url: URL

    /// Creates a log.
    ///
    /// - Parameter url: The location of the file. Its directory must exist.
    package init(_ url: URL) { self.url = url }

    /// Appends lines to the file.
    ///
    /// If the file does not exist, it is created with read and write permission for the owner only.
    ///
    /// - Parameter lines: The lines.
    /// - Throws: `unwritableFile`.
    package func append(_ lines: [Line]) throws(HARError) {
        guard !lines.isEmpty else { return }
        let text = lines.reduce(into: Data()) { $0 += $1.json.data(layout: .compact) + Data("\n".utf8) }
        // A single write with O_APPEND is not interleaved with writes by other processes.
        let calls = FileSystemCalls.current
        let file = calls.open(url.path, O_WRONLY | O_APPEND | O_CREAT, 0o600)
        guard file >= 0 else { throw unwritable(errno) }
        defer { _ = calls.close(file) }
        let count = text.withUnsafeBytes { calls.append(file, $0) }
        guard count == text.count else { throw unwritable(count < 0 ? errno : ENOSPC) }
    }

    private func unwritable(_ code: Int32) -> HARError {
        HARError(
            .unwritableFile,
            "The use log cannot be written: \(SystemError.reason(code, ofOutput: true)) The environment variable "
                + "RELAY_USE_LOG sets the path of the log.",
            at: .init(file: url.path))
    }
}

extension UseLog {
    /// A log line with the entries of one archive that an interceptor used.
    package struct Line: Hashable, Sendable {
        /// The path of the archive.
        package var archive: String

        /// The number of entries in the archive.
        package var entryCount: Int

        /// The used entries.
        package var used: UsedEntries

        /// The archive's ``HARArchive/fingerprint``.
        package var stamp: String

        /// The time at which the interceptor was stopped.
        package var date: Date
    }
}

extension UseLog.Line {
    /// The JSON form of the line.
    package var json: JSONValue {
        [
            "archive": .string(JSONString(archive)), "entries": .number(JSONNumber(entryCount)),
            "used": .string(JSONString(used.text)), "stamp": .string(JSONString(stamp)),
            "at": .string(JSONString(HAR.text(date))),
        ]
    }

    /// Parses a line, or returns `nil` if the JSON is not a valid line.
    ///
    /// - Parameter json: The JSON form.
    package init?(_ json: JSONValue) {
        guard let archive = json["archive"]?.text, let count = json["entries"]?.number?.int,
            let used = json["used"]?.text.flatMap({ UsedEntries($0, count: count) }),
            let stamp = json["stamp"]?.text, let date = json["at"]?.text.flatMap({ HAR.date($0) })
        else { return nil }
        self.init(archive: archive, entryCount: count, used: used, stamp: stamp, date: date)
    }
}

/// A set of used entries with a compact text form.
package struct UsedEntries: Hashable, Sendable {
    /// The prefix of the text form that stores one bit per entry.
    private static let bitsPrefix = "bits:"

    /// The entry indices, from 0.
    package var indices: IndexSet

    /// Creates a set of used entries.
    ///
    /// - Parameter indices: The entry indices; empty by default.
    package init(_ indices: IndexSet = IndexSet()) { self.indices = indices }

    /// Parses the text form, or returns `nil` if the text is invalid or contains an index outside the archive.
    ///
    /// - Parameters:
    ///   - text: The text form, as returned by ``text``.
    ///   - count: The number of entries in the archive.
    package init?(_ text: String, count: Int) {
        var indices = IndexSet()
        if text.hasPrefix(Self.bitsPrefix) {
            guard let bits = Data(base64Encoded: String(text.dropFirst(Self.bitsPrefix.count))) else { return nil }
            for (index, byte) in bits.enumerated() where byte != 0 {
                for bit in 0..<8 where byte & (1 << UInt8(bit)) != 0 { indices.insert(index * 8 + bit) }
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

    /// Creates the set of entries that `turns` marks as used.
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

    /// The text form: ranges such as `0-3,7`, or a Base64 bit set with the prefix `bits:` if the ranges are much
    /// longer.
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
