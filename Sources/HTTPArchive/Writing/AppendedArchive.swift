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

    /// The maximum size of text that is copied to write it together with the text that follows it.
    private static let copiedSize = 1 << 16

    private let url: URL
    private let flushing: HARWriter.Flushing
    private let configuration: HARReader.Configuration

    /// The minimum gap before a parked tail, in bytes.
    private let gapSize: Int

    private var file: LockedFile
    private var entriesEnd: EntriesEnd

    /// Whether the log is known to have no `pages` before the entries.
    private var hasNoPagesBefore = false

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
        var index = try file.repair(configuration, requiresEntries: false)
        if index.entriesRange.upperBound == 0 {
            if let value = index.log.fields["entries"] {
                throw HARError(
                    .notAnArchive,
                    "Expected an array as the value of `entries`, found \(value.kindTitle). Repair the file with `har repair`.",
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
        guard isDue(buffered.count + text.count) else { return buffered += text }
        if buffered.isEmpty { return try write(text) }
        buffered += text
        do {
            try flush()
        } catch {
            buffered.removeLast(text.count)
            throw error
        }
    }

    /// Whether entries of a total size, in bytes, are due to be written.
    private func isDue(_ size: Int) -> Bool {
        if size > Self.bufferSize { return true }
        return flushing.interval.map { $0 <= .zero || ContinuousClock.now - written >= $0 } ?? false
    }

    /// Writes the buffered entries.
    func flush() throws(HARError) {
        guard !buffered.isEmpty else { return }
        try write(buffered)
        buffered.removeAll(keepingCapacity: true)
    }

    private func write(_ text: [UInt8]) throws(HARError) {
        try prepare()
        try put(entriesEnd.isEmpty ? Array(text.dropFirst()) : text)
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
    private func prepare() throws(HARError) {
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
        let end = entriesEnd.end
        let (lead, start) = Self.lead(of: text, beyond: tail.count)
        let size = lead.count + text.count - start
        try attempt { () throws(HARError) in
            // Copying a large text would take longer than two more system calls.
            if size <= Self.copiedSize { return try file.write(lead + text[start...] + tail, at: end) }
            try file.write(lead, at: end)
            try file.write(text, from: start, at: end + lead.count)
            try file.write(tail, at: end + size)
        } undo: { () throws(HARError) in
            // This cannot fail for lack of disk space, because the brackets were in the file before.
            try file.truncate(to: end + tail.count)
            try file.write(tail, at: end)
        }
        entriesEnd.end += size
        entriesEnd.tailOffset = entriesEnd.end
        entriesEnd.isEmpty = false
    }

    /// Returns the start of an entry with spaces, so that its first bracket is at least `count` bytes after the start.
    ///
    /// Old brackets that remain after an incomplete write then precede the entry and cannot close it.
    ///
    /// - Returns: The start, and the index at which the rest of the text begins.
    private static func lead(of text: [UInt8], beyond count: Int) -> (lead: [UInt8], rest: Int) {
        let start = text.firstIndex { !JSONText.isGap($0) } ?? 0
        guard start < count else { return (Array(text[..<start]), start) }
        var blanks = [UInt8](repeating: UInt8(ascii: " "), count: count - start)
        if !text[..<start].contains(UInt8(ascii: "\n")) { blanks[0] = UInt8(ascii: "\n") }
        let comma = text.first == UInt8(ascii: ",") ? 1 : 0
        return (text[..<comma] + blanks, comma)
    }

    /// Runs a closure that writes to the file.
    ///
    /// If it fails, runs another closure that undoes the changes. By default, the file must be repaired.
    private func attempt(
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

    // MARK: Tail

    /// Moves the tail to another offset, keeping a complete tail in the file at all times.
    ///
    /// If there is enough space between the entries and the tail, the tail moves closer to the entries. Otherwise, it
    /// moves beyond the end of the file, and leaves a gap that is large enough to make further moves rare. The new tail
    /// is flushed to the disk before the old one is removed, even if entries are not flushed.
    ///
    /// - Parameters:
    ///   - tail: The tail, which may differ from the current one.
    ///   - gap: The minimum space for entries before the tail, in bytes; 0 puts the tail directly after the entries.
    /// - Throws: `unwritableFile`. The tail is then either unchanged or completely moved.
    private func move(_ tail: ArchiveTail, leaving gap: Int) throws(HARError) {
        let old = entriesEnd
        let mark = gap > 0 ? ArchiveTail.mark : []
        let text = mark + tail.bytes
        if gap + text.count <= old.room {
            let start = old.end + gap
            try attempt { () throws(HARError) in
                try file.write(text, committingAt: start, isSynchronized: true)
                try file.synchronize()
                try file.truncate(to: start + text.count)
            }
            entriesEnd.tailOffset = start + mark.count
        } else {
            let size = max(gap, gapSize, 3 * tail.bytes.count)
            let start = max(old.end + size, old.size)
            try putBeyond(tail, at: start)
            entriesEnd.tailOffset = start + ArchiveTail.mark.count
        }
        entriesEnd.tail = tail
    }

    /// Writes a tail after the end of the file, and overwrites the old tail with spaces.
    ///
    /// The first bracket of the old tail is overwritten last.
    private func putBeyond(_ tail: ArchiveTail, at start: Int) throws(HARError) {
        let old = entriesEnd
        let blanks = [UInt8](repeating: UInt8(ascii: " "), count: start - old.size)
        try attempt { () throws(HARError) in
            try file.write(blanks + ArchiveTail.mark + tail.bytes, at: old.size)
            try file.synchronize()
        } undo: { () throws(HARError) in
            try file.truncate(to: old.size)
        }
        let bracket = old.tail.bytes.firstIndex(of: UInt8(ascii: "]")).map { old.tailOffset + $0 } ?? old.tailOffset
        try attempt { () throws(HARError) in
            try file.blank(bracket + 1..<old.size)
            if flushing.isSynchronized { try file.synchronize() }
            try file.blank(old.tailOffset..<bracket + 1)
        }
    }

    /// Appends a page to the log.
    ///
    /// Pages are stored after the entries, where more pages can be appended. The first call moves pages that precede
    /// the entries.
    ///
    /// - Parameter page: The page.
    /// - Throws: `unwritableFile`; `notAnArchive` if `pages` is not an array.
    /// - Complexity: O(*n*), where *n* is the size of the text after the entries. If the archive has pages before the
    ///   entries, the first call takes time linear in the size of the archive.
    func append(_ page: HAR.Page) throws(HARError) {
        try flush()
        try prepare()
        if !hasNoPagesBefore, try movePages(with: page) { return }
        try move(entriesEnd.tail.appending(page, after: nil, in: url), leaving: gapSize)
    }

    /// Moves the pages that precede the entries to the end of the log, and appends a page; returns false if no pages
    /// precede the entries.
    private func movePages(with page: HAR.Page) throws(HARError) -> Bool {
        let closing = Array("]}}".utf8)
        let head = try file.input.bytes(in: 0..<entriesEnd.start) + closing
        let pages = try HAR.Log(data: Data(head)).fields["pages"]
        hasNoPagesBefore = pages == nil
        guard let pages else { return false }
        let tail = try entriesEnd.tail.appending(page, after: pages, in: url)
        var editor = try JSONEditor(Data(head))
        try editor.remove(at: JSONPointer(["log", "pages"]))
        let output = try OutputFile(url: url)
        try output.write([UInt8](editor.text.dropLast(closing.count)))
        try output.copy(entriesEnd.start..<entriesEnd.end, of: file.input)
        try output.write(tail.bytes)
        try output.finish()
        file = try LockedFile(url: url, creates: false)
        entriesEnd = try EntriesEnd(in: file.input, around: file.repair(configuration).entriesRange)
        hasNoPagesBefore = true
        return true
    }
}
