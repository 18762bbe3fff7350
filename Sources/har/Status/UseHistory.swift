import Foundation
import HTTPArchive
import Relay

/// The uses of archives, according to a use log.
///
/// An archive is identified by its path, or else by its name and content, so a log from another checkout also works.
struct UseHistory {
    private var paths: [String: Int] = [:]

    /// The archives by name and content.
    private var identities: [[String]: Int] = [:]
    private var stamps: [String?] = []

    /// The use of each archive, or `nil` for an archive that the use log does not mention.
    private(set) var uses: [ArchiveUse?]

    /// Reads a log.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - archives: The archives to look up.
    /// - Throws: `unreadableFile`.
    init(_ log: UseLog, of archives: [URL]) throws(HARError) {
        uses = Array(repeating: nil, count: archives.count)
        for (index, url) in archives.enumerated() {
            let stamp = try? HARArchive.fingerprint(of: url)
            stamps.append(stamp)
            paths[Self.path(url)] = index
            if let stamp { identities[[url.lastPathComponent, stamp]] = index }
        }
        try log.forEachLine { text in
            // A line can be incomplete if a test run was killed.
            if let line = (try? JSONValue(parsing: text)).flatMap(UseLog.Line.init) { note(line) }
        }
    }

    private mutating func note(_ line: UseLog.Line) {
        guard let index = index(of: line) else { return }
        var use = uses[index] ?? ArchiveUse(last: line.date)
        use.last = max(use.last, line.date)
        if line.stamp == stamps[index] { use.used = (use.used ?? IndexSet()).union(line.used.indices) }
        uses[index] = use
    }

    private mutating func index(of line: UseLog.Line) -> Int? {
        // Most lines have the path of an archive, or a path that was already resolved for an earlier line.
        if let index = paths[line.archive] { return index }
        let url = URL(fileURLWithPath: line.archive)
        if let index = identities[[url.lastPathComponent, line.stamp]] { return index }
        guard let index = paths[Self.path(url)] else { return nil }
        paths[line.archive] = index
        return index
    }

    private static func path(_ url: URL) -> String { url.resolvingSymlinksInPath().standardizedFileURL.path }
}

extension UseLog {
    /// Calls a function with each line of the log.
    fileprivate func forEachLine(_ body: (Data) -> Void) throws(HARError) {
        do {
            let file = try FileHandle(forReadingFrom: url)
            defer { try? file.close() }
            var rest = Data()
            while let chunk = try file.read(upToCount: 1 << 20), !chunk.isEmpty {
                rest += chunk
                let lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                for line in lines.dropLast() where !line.isEmpty { body(Data(line)) }
                rest = Data(lines.last ?? Data())
            }
            if !rest.isEmpty { body(rest) }
        } catch {
            throw HARError(
                .unreadableFile, "cannot read the use log: \(error.fileErrorReason); check --use-log or $RELAY_USE_LOG",
                at: .init(file: url.path), underlying: error)
        }
    }
}
