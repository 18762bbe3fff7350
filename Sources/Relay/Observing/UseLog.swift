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
