import Foundation

/// A file that is a valid archive after every appended entry.
///
/// A single system call overwrites the closing brackets of the archive with the new entry, followed by the same
/// brackets. If fields follow the entries, this tail is parked: a gap of spaces separates it from the entries, and new
/// entries are written into the gap. If a write is interrupted at any point, the earlier entries remain complete, and
/// ``TruncatedArchive`` determines how to repair the file.
final class AppendedArchive {
    /// The maximum size of buffered entries, in bytes.
    private static let bufferSize = 1 << 20

    let url: URL
    let flushing: HARWriter.Flushing
    let configuration: HARReader.Configuration

    /// The minimum gap before a parked tail, in bytes.
    let gapSize: Int

    var file: LockedFile
    var entriesEnd: EntriesEnd

    /// Whether the log is known to have no `pages` before the entries.
    var hasNoPagesBefore = false

    /// The text of entries that have not been written yet, each preceded by a comma.
    private var buffered: [UInt8] = []

    /// The time of the last write.
    private var written = ContinuousClock.now

    /// Whether a failed write could not be undone, so that the file may have to be repaired.
    private var isBroken = false

    /// Opens a file.
    ///
    /// If the file is missing or empty, an empty archive is created.
    ///
    /// - Parameters:
    ///   - url: The file. Its folder must exist.
    ///   - layout: The layout of a new archive.
    ///   - flushing: The policy that determines when entries are written.
    ///   - isPrivate: Whether only the owner can read a new archive; false by default.
    ///   - configuration: The settings of the reader; default settings if omitted.
    ///   - gapSize: The minimum gap before a parked tail, in bytes; 64 KiB by default.
    /// - Throws: `fileInUse`; `unwritableFile`; the error of reading the file, unless the file is a truncated archive
    ///   that can be repaired.
    init(
        at url: URL, layout: JSONLayout, flushing: HARWriter.Flushing, isPrivate: Bool = false,
        configuration: HARReader.Configuration = HARReader.Configuration(), gapSize: Int = 1 << 16
    ) throws(HARError) {
        self.gapSize = gapSize
        self.url = url
        self.flushing = flushing
        self.configuration = configuration
        file = try LockedFile(url: url, isPrivate: isPrivate)
        try file.begin(layout: layout, isSynchronized: flushing.isSynchronized)
        var index = try file.repair(configuration)
        if index.entriesRange.upperBound == 0 {
            if let value = index.log.fields["entries"] {
                throw HARError(
                    .notAnArchive,
                    "Expected an array as the value of `entries`, found \(value.kindTitle). Append to another file.",
                    at: .init(file: url.path))
            }
            try file.addEntries(to: url, limits: configuration.limits)
            file = try LockedFile(url: url, creates: false)
            index = try file.repair(configuration)
        }
        guard index.entriesRange.upperBound > 0 else {
            throw HARError(
                .notAnArchive, "Expected an object with a `log`, found none. Append to another file.",
                at: .init(file: url.path))
        }
        entriesEnd = try EntriesEnd(in: file.input, around: index.entriesRange)
    }

    /// Appends an entry.
    ///
    /// - Parameter text: The text of the entry, preceded by a comma.
    /// - Throws: `unwritableFile`. The entry is then not appended, and entries that were already buffered remain
    ///   buffered.
    func append(_ text: [UInt8]) throws(HARError) {
        buffered += text
        guard isDue else { return }
        do {
            try flush()
        } catch {
            buffered.removeLast(text.count)
            throw error
        }
    }

    /// Whether the buffered entries are due to be written.
    private var isDue: Bool {
        if buffered.count > Self.bufferSize { return true }
        return flushing.interval.map { $0 <= .zero || ContinuousClock.now - written >= $0 } ?? false
    }

    /// Writes the buffered entries.
    func flush() throws(HARError) {
        guard !buffered.isEmpty else { return }
        try prepare()
        try put(entriesEnd.isEmpty ? Array(buffered.dropFirst()) : buffered)
        buffered.removeAll(keepingCapacity: true)
        written = .now
    }

    /// Writes the buffered entries, and moves a parked tail back to the end of the entries.
    func finish() throws(HARError) {
        try flush()
        // If the gap is too small for the tail, the first iteration moves the tail away, and the second moves it back.
        for _ in 0..<2 where entriesEnd.isParked {
            try prepare()
            try move(entriesEnd.tail, leaving: 0)
        }
        try file.checkClosing()
    }

    deinit { try? finish() }

    /// Repairs the file if a failed write could not be undone, and checks that no other program has changed it.
    func prepare() throws(HARError) {
        if isBroken {
            entriesEnd = try EntriesEnd(in: file.input, around: file.repair(configuration).entriesRange)
            isBroken = false
        }
        try file.check(size: entriesEnd.size)
    }

    /// Whether the path still refers to the file, and no other program has changed its size.
    var isCurrent: Bool { (try? file.check(size: entriesEnd.size)) != nil }

    // MARK: Writing

    /// Writes the text of new entries after the existing entries.
    private func put(_ text: [UInt8]) throws(HARError) {
        if !entriesEnd.isParked, entriesEnd.tail.isBrackets { return try putBeforeBrackets(text) }
        if entriesEnd.room < text.count { try move(entriesEnd.tail, leaving: 2 * text.count) }
        let end = entriesEnd.end
        try attempt { () throws(HARError) in
            try file.write(text, committingAt: end, isSynchronized: flushing.isSynchronized)
        } undo: { () throws(HARError) in
            try file.blank(end..<end + text.count)
        }
        entriesEnd.end += text.count
        entriesEnd.isEmpty = false
    }

    private func putBeforeBrackets(_ text: [UInt8]) throws(HARError) {
        let tail = entriesEnd.tail.bytes
        let text = Self.indent(text, by: tail.count)
        let end = entriesEnd.end
        try attempt { () throws(HARError) in
            try file.write(text + tail, at: end)
        } undo: { () throws(HARError) in
            // This cannot fail for lack of disk space, because the brackets were in the file before.
            try file.truncate(to: end + tail.count)
            try file.write(tail, at: end)
        }
        entriesEnd.end += text.count
        entriesEnd.tailOffset = entriesEnd.end
        entriesEnd.isEmpty = false
    }

    /// Inserts spaces before an entry, so that its first bracket is at least `count` bytes after the start of the text.
    ///
    /// Old brackets that remain after an incomplete write then precede the entry and cannot close it.
    private static func indent(_ text: [UInt8], by count: Int) -> [UInt8] {
        let start = text.firstIndex { !JSONText.isGap($0) } ?? 0
        guard start < count else { return text }
        var blanks = [UInt8](repeating: UInt8(ascii: " "), count: count - start)
        if !text[..<start].contains(UInt8(ascii: "\n")) { blanks[0] = UInt8(ascii: "\n") }
        let comma = text.first == UInt8(ascii: ",") ? 1 : 0
        return Array(text[..<comma]) + blanks + text[comma...]
    }

    /// Runs a closure that writes to the file.
    ///
    /// If it fails, runs another closure that undoes the changes. By default, the file must be repaired.
    func attempt(
        _ body: () throws(HARError) -> Void,
        undo: () throws(HARError) -> Void = { () throws(HARError) in
            throw HARError(.unwritableFile, "The file must be read again.")
        }
    ) throws(HARError) {
        do {
            try body()
            if flushing.isSynchronized { try file.synchronize() }
        } catch {
            if (try? undo()) == nil { isBroken = true }
            throw error
        }
    }
}
