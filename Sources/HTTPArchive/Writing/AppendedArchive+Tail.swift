import Foundation

extension AppendedArchive {
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
    func move(_ tail: ArchiveTail, leaving gap: Int) throws(HARError) {
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

extension OutputFile {
    /// Appends a range of another file.
    package func copy(_ range: Range<Int>, of file: InputFile) throws(HARError) {
        var offset = range.lowerBound
        while offset < range.upperBound {
            let bytes = try file.bytes(in: offset..<min(offset + 1 << 20, range.upperBound))
            try write(bytes)
            offset += bytes.count
        }
    }
}
