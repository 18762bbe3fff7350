import Foundation
import HTTPArchive
import Synchronization

/// The archives that one recording keeps open for appending.
package final class OpenArchives: Sendable {
    /// The maximum number of open archives.
    private static let limit = 8

    /// The archives, least recently used first.
    private let archives = Mutex<[SharedArchive]>([])

    /// Creates an empty list.
    package init() {}

    deinit { close() }

    /// Appends an entry to an archive; see ``SharedArchive/append(_:configuration:)``.
    ///
    /// The archive stays open until ``close()`` is called or too many other archives have been used more recently.
    func append(_ entry: HAR.Entry, to url: URL, configuration: HARWriter.Configuration) throws(HARError) {
        let archive = SharedArchive.at(url)
        try archive.append(entry, configuration: configuration)
        let last: SharedArchive? = archives.withLock { archives in
            if archives.last === archive { return nil }
            archives.removeAll { $0 === archive }
            archives.append(archive)
            return archives.count > Self.limit ? archives.removeFirst() : nil
        }
        last?.close()
    }

    /// Closes all archives, so that other programs can append to them.
    package func close() {
        let closed = archives.withLock { archives in
            defer { archives = [] }
            return archives
        }
        for archive in closed { archive.close() }
    }
}

/// An archive into which several interceptors in this process can record.
///
/// Several interceptors can record into one archive, for example in the tests of a suite. Each archive has a lock that
/// serializes its updates. Each interceptor merges its entries while it holds the lock, and never replaces entries
/// added by other recordings in this process.
final class SharedArchive: Sendable {
    private struct State {
        /// The number of entries, at the start of the archive, that are older than this process's first recording; nil
        /// before that recording.
        var oldCount: Int?

        /// The writer of the open archive, or nil if the archive is closed.
        var writer: HARWriter?

        /// The number of times the archive was opened for appending.
        var openCount = 0
    }

    /// The maximum time to wait while another process has locked the archive.
    private static let turnLimit = Duration.seconds(10)

    private let path: String
    private let state = Mutex(State())
    private let recorded = Atomic(false)

    /// The archives in which this process has recorded entries, by path.
    private static let archives = Mutex<[String: SharedArchive]>([:])

    /// Returns the shared state of an archive.
    ///
    /// The file need not exist.
    static func at(_ url: URL) -> SharedArchive {
        let path = url.resolvingSymlinksInPath().standardizedFileURL.path
        return archives.withLock { archives in
            let archive = archives[path] ?? SharedArchive(path)
            archives[path] = archive
            return archive
        }
    }

    /// Creates the state of an archive.
    ///
    /// - Parameter path: The absolute path without symbolic links.
    private init(_ path: String) { self.path = path }

    /// Whether this process has recorded into the archive or is recording into it.
    ///
    /// Reading this property never waits for an update to end.
    var isRecorded: Bool { recorded.load(ordering: .sequentiallyConsistent) }

    /// The number of times ``append(_:configuration:)`` has opened and read the archive.
    var openCount: Int { state.withLock { $0.openCount } }

    /// Runs a closure with exclusive access to the archive within this process.
    ///
    /// - Parameter body: A closure that receives and updates the number of entries, at the start of the archive, that
    ///   are older than this process's first recording. The number is nil before that recording.
    /// - Throws: Any error thrown by `body`.
    func takeTurn<Failure: Error>(_ body: (inout Int?) throws(Failure) -> Void) throws(Failure) {
        try state.withLock { state throws(Failure) in
            recorded.store(true, ordering: .sequentiallyConsistent)
            defer { recorded.store(state.oldCount != nil, ordering: .sequentiallyConsistent) }
            state.writer = nil
            try body(&state.oldCount)
        }
    }

    /// Appends an entry.
    ///
    /// When the method returns, the entry has been written to the file.
    ///
    /// If this process has not recorded into the archive yet, the entry replaces all existing entries. The archive and
    /// its folder are created if necessary, even if they were removed between two calls.
    ///
    /// - Parameters:
    ///   - entry: The entry.
    ///   - configuration: The settings of the writer.
    /// - Throws: `fileInUse` if another process keeps the archive locked for ten seconds; `unwritableFile`; or any
    ///   error from reading the existing archive.
    /// - Complexity: O(1) if the archive is open; otherwise, O(*n*) in the size of the archive.
    func append(_ entry: HAR.Entry, configuration: HARWriter.Configuration) throws(HARError) {
        try state.withLock { state throws(HARError) in
            recorded.store(true, ordering: .sequentiallyConsistent)
            defer { recorded.store(state.oldCount != nil, ordering: .sequentiallyConsistent) }
            if let writer = state.writer, writer.isCurrent {
                do throws(HARError) { return try writer.append(entry) } catch {
                    // The next call opens the archive again and repairs it if necessary.
                    state.writer = nil
                    throw error
                }
            }
            state.writer = nil
            let writer = try Self.open(URL(fileURLWithPath: path), configuration)
            state.openCount += 1
            if state.oldCount != 0, try replace(state.oldCount, by: entry, configuration) {
                state.oldCount = 0
                return
            }
            state.oldCount = 0
            try writer.append(entry)
            state.writer = writer
        }
    }

    /// Closes the archive, so that other programs can append to it.
    func close() { state.withLock { $0.writer = nil } }

    private static func open(_ file: URL, _ configuration: HARWriter.Configuration) throws(HARError) -> HARWriter {
        try createFolder(of: file)
        let end = ContinuousClock.now + turnLimit
        while true {
            do {
                return try HARWriter(appendingTo: file, configuration: configuration)
            } catch {
                guard error.code == .fileInUse, .now < end else { throw error }
                Thread.sleep(forTimeInterval: 0.02)
            }
        }
    }

    /// Replaces the old entries with a new entry, or returns `false` if there are no old entries.
    private func replace(
        _ oldCount: Int?, by entry: HAR.Entry, _ configuration: HARWriter.Configuration
    ) throws(HARError) -> Bool {
        let file = URL(fileURLWithPath: path)
        let old = try HARArchive(contentsOf: file, configuration: configuration.reader)
        let count = min(oldCount ?? old.count, old.count)
        guard count > 0 else { return false }
        try ArchiveUpdate.rewrite(file, as: old, keeping: Array(count..<old.count), page: nil, configuration) {
            writer throws(HARError) in try writer.append(entry)
        }
        return true
    }

    /// Creates the folder of an archive if necessary.
    ///
    /// - Throws: `unwritableFile`.
    static func createFolder(of archive: URL) throws(HARError) {
        let folder = archive.deletingLastPathComponent()
        do {
            try FileSystemCalls.current.createFolders(folder)
        } catch {
            throw HARError(error.code, "\(error.message) Nothing is recorded.", at: error.context)
        }
    }
}
