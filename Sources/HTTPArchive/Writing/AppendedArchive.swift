import Foundation

/// A file that is a whole archive after each entry that is appended to it.
///
/// An entry is written over the brackets that close the archive, with the brackets behind it, in one call. A tail with
/// more than brackets is parked behind a gap, into which entries are written alone. Wherever that is broken off, the
/// entries before are whole, and ``TruncatedArchive`` tells how to go on.
final class AppendedArchive {
    /// How much is collected at most, in bytes.
    private static let bufferSize = 1 << 20

    let url: URL
    let flushing: HARWriter.Flushing
    let configuration: HARReader.Configuration
    let calls: FileSystemCalls

    /// The least gap before a tail that is parked, in bytes.
    let gapSize: Int

    var file: LockedFile
    var entriesEnd: EntriesEnd

    /// Whether `pages` is known not to stand before the entries.
    var hasNoPagesBefore = false

    /// Entries that are not written, each with a comma in front.
    private var collected: [UInt8] = []
    private var written = ContinuousClock.now

    /// Whether the file may not be as it should, because something failed.
    private var isBroken = false

    /// Opens a file, which is begun where there is none or nothing is in it.
    ///
    /// - Parameters:
    ///   - url: The file; its folder must exist.
    ///   - layout: How an archive that is begun is laid out.
    ///   - flushing: When entries are written.
    ///   - isPrivate: Whether only the owner can read an archive that is begun; false by default.
    ///   - configuration: The settings of the reader; the default ones unless given.
    ///   - calls: The calls of the system; its own by default.
    ///   - gapSize: The least gap before a tail that is parked, in bytes; 64 KiB by default.
    /// - Throws: `fileInUse`, `unwritableFile`; what reading the file throws, unless its writing was broken off.
    init(
        at url: URL, layout: JSONLayout, flushing: HARWriter.Flushing, isPrivate: Bool = false,
        configuration: HARReader.Configuration = HARReader.Configuration(), calls: FileSystemCalls = FileSystemCalls(),
        gapSize: Int = 1 << 16
    ) throws(HARError) {
        self.gapSize = gapSize
        self.url = url
        self.flushing = flushing
        self.configuration = configuration
        self.calls = calls
        file = try LockedFile(url: url, isPrivate: isPrivate, calls: calls)
        try file.begin(layout: layout, isSynchronized: flushing.isSynchronized)
        var index = try file.repair(configuration).index
        if index.entriesRange.upperBound == 0 {
            guard index.log.fields["entries"] == nil else {
                throw HARError(
                    .notAnArchive, "The `entries` of the log are no list, to which none can be appended.",
                    at: .init(file: url.path))
            }
            try file.addEntries(to: url, limits: configuration.limits)
            file = try LockedFile(url: url, creates: false, calls: calls)
            index = try file.repair(configuration).index
        }
        guard index.entriesRange.upperBound > 0 else {
            throw HARError(
                .notAnArchive, "The file has no `log` that entries can be appended to.", at: .init(file: url.path))
        }
        entriesEnd = try EntriesEnd(in: file.input, around: index.entriesRange)
    }

    /// Appends an entry.
    ///
    /// - Parameter text: Its text, with a comma in front.
    /// - Throws: `unwritableFile`; the entry is not appended then, and what was collected before is still to be written.
    func append(_ text: [UInt8]) throws(HARError) {
        collected += text
        guard isDue else { return }
        do {
            try flush()
        } catch {
            collected.removeLast(text.count)
            throw error
        }
    }

    /// Whether what is collected has to be written.
    private var isDue: Bool {
        if collected.count > Self.bufferSize { return true }
        return flushing.interval.map { $0 <= .zero || ContinuousClock.now - written >= $0 } ?? false
    }

    /// Writes what was collected.
    func flush() throws(HARError) {
        guard !collected.isEmpty else { return }
        try prepare()
        try put(entriesEnd.isEmpty ? Array(collected.dropFirst()) : collected)
        collected.removeAll(keepingCapacity: true)
        written = .now
    }

    /// Writes what was collected, and puts the tail behind the entries.
    func finish() throws(HARError) {
        try flush()
        // Where the gap is too small for the tail, it goes beyond its present place first.
        for _ in 0..<2 where entriesEnd.isParked {
            try prepare()
            try move(entriesEnd.tail, leaving: 0)
        }
    }

    deinit { try? finish() }

    /// Makes sure that the file is as it was left; mends it where something had failed.
    func prepare() throws(HARError) {
        if isBroken {
            entriesEnd = try EntriesEnd(in: file.input, around: file.repair(configuration).index.entriesRange)
            isBroken = false
        }
        try file.check(size: entriesEnd.size)
    }

    // MARK: Writing

    /// Writes the text of entries behind those that are there.
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
            // The brackets need no room that was not theirs before.
            try file.truncate(to: end + tail.count)
            try file.write(tail, at: end)
        }
        entriesEnd.end += text.count
        entriesEnd.tailOffset = entriesEnd.end
        entriesEnd.isEmpty = false
    }

    /// Puts blanks before an entry, so that its first bracket stands behind that many bytes.
    ///
    /// Brackets that are not yet overwritten then stand before it, and cannot close it.
    private static func indent(_ text: [UInt8], by count: Int) -> [UInt8] {
        let start = text.firstIndex { !JSONText.isGap($0) } ?? 0
        guard start < count else { return text }
        var blanks = [UInt8](repeating: UInt8(ascii: " "), count: count - start)
        if !text[..<start].contains(UInt8(ascii: "\n")) { blanks[0] = UInt8(ascii: "\n") }
        let comma = text.first == UInt8(ascii: ",") ? 1 : 0
        return Array(text[..<comma]) + blanks + text[comma...]
    }

    /// Writes something, and takes it back where that fails.
    func attempt(
        _ body: () throws(HARError) -> Void, undo: () throws(HARError) -> Void
    ) throws(HARError) {
        do {
            try body()
            if flushing.isSynchronized { try file.synchronize() }
        } catch {
            do {
                try undo()
            } catch {
                isBroken = true
            }
            throw error
        }
    }
}
