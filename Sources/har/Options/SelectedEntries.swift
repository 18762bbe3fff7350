import ArchiveInspection
import HTTPArchive

/// The entries of an archive that match conditions, for commands that list or analyze entries.
struct SelectedEntries {
    private let file: Input
    private let sizes: SizeOptions
    private let filter: HAREntryFilter?

    /// Creates a selection.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - sizes: The limits.
    ///   - filter: The filter; nil (the default) for all entries.
    init(of file: Input, _ sizes: SizeOptions, filter: HAREntryFilter? = nil) {
        self.file = file
        self.sizes = sizes
        self.filter = filter
    }

    /// Calls a closure with each entry, in the order of the archive.
    ///
    /// The archive is opened for random access, so that most entries are read only in part. It is read in one pass if
    /// it is a pipe, if it cannot be opened for random access, or if complete entries are needed.
    ///
    /// - Parameters:
    ///   - query: A text that the entries may contain, so that most entries without it are omitted; nil (the default) for
    ///     all entries.
    ///   - readsEntries: Whether the closure reads every entry completely; `false` by default.
    ///   - validates: Whether to validate entries that the closure does not read; `true` by default.
    ///   - isQuiet: Whether to hide the progress bar; `false` by default.
    ///   - body: A closure that receives the facts about an entry and its index in the archive.
    /// - Returns: The number of entries that the closure received.
    /// - Throws: Any error from the closure. The error for an invalid entry is thrown after the closure has received
    ///   all preceding entries.
    @discardableResult
    func forEach(
        mayContain query: TextQuery? = nil, readsEntries: Bool = false, validates: Bool = true, isQuiet: Bool = false,
        _ body: (_ entry: HAREntryFacts, _ index: Int) throws(HARError) -> Void
    ) throws(HARError) -> Int {
        var count = 0
        func select(_ facts: HAREntryFacts, _ index: Int) throws(HARError) {
            guard try filter?.selects(facts, at: index) ?? true else { return }
            count += 1
            try body(facts, index)
        }
        if !readsEntries, !file.isStream, let archive = try file.archiveUnlessDamaged(sizes) {
            var indices: any Sequence<Int> = 0..<archive.count
            var broken: Int?
            if let query {
                (indices, broken) = validate(archive, isQuiet: isQuiet) { index, text in
                    HAREntryFacts(of: archive, at: index).mayContain(query, json: text)
                }
            } else if validates {
                broken = validate(archive, isQuiet: isQuiet).firstInvalid
                indices = 0..<(broken ?? archive.count)
            }
            let progress = ReadingProgress(of: file.url.fileSize, isQuiet: isQuiet)
            defer { progress.clear() }
            for index in indices {
                try select(HAREntryFacts(of: archive, at: index), index)
                progress.update(archive.byteRange(at: index).upperBound)
            }
            if let broken { _ = try archive.entry(at: broken) }
            return count
        }
        let reader = try file.reader(sizes)
        let progress = ReadingProgress(of: reader.byteCount, isQuiet: isQuiet)
        defer { progress.clear() }
        var index = 0
        while let entry = try reader.nextEntry() {
            try select(HAREntryFacts(of: entry), index)
            index += 1
            progress.update(reader.bytesRead)
        }
        return count
    }

    /// Returns whether no entry is selected, after ``forEach`` has received no entry that may contain a text.
    func isEmpty() throws(HARError) -> Bool {
        // In one pass, the filter is applied to every entry.
        guard !file.isStream, let archive = try file.archiveUnlessDamaged(sizes) else { return true }
        for index in 0..<archive.count {
            if try filter?.selects(HAREntryFacts(of: archive, at: index), at: index) ?? true { return false }
        }
        return true
    }

    /// Validates every entry, and selects entries by their text.
    private func validate(
        _ archive: HARArchive, isQuiet: Bool = false,
        selecting isSelected: @escaping @Sendable (Int, UnsafeRawBufferPointer) -> Bool = { _, _ in false }
    ) -> (selected: [Int], firstInvalid: Int?) {
        let progress = ReadingProgress(of: file.url.fileSize, isQuiet: isQuiet)
        defer { progress.clear() }
        return archive.validate { index, text in
            progress.update(archive.byteRange(at: index).upperBound)
            return isSelected(index, text)
        }
    }

    /// Returns the indices of all selected entries before the first invalid entry of an archive that is open for random
    /// access.
    ///
    /// - Parameter archive: The archive.
    /// - Returns: The indices, in ascending order, and the error of the first invalid entry or of a truncated archive.
    /// - Throws: The errors of the filter.
    func indices(in archive: HARArchive) throws(HARError) -> (selected: [Int], failure: HARError?) {
        var failure = archive.damage
        let broken = validate(archive).firstInvalid
        if let broken {
            do throws(HARError) { _ = try archive.entry(at: broken) } catch { failure = error }
        }
        var indices: [Int] = []
        for index in 0..<(broken ?? archive.count)
        where try filter?.selects(HAREntryFacts(of: archive, at: index), at: index) ?? true { indices.append(index) }
        return (indices, failure)
    }
}

extension HAR.Entry {
    /// The custom field with the index of the entry in the archive from which it was copied.
    private static let originalIndexName = "_index"

    /// The index of the entry in the archive from which it was copied by `har filter --keep-index`, or nil.
    var originalIndex: Int? { self[Self.originalIndexName]?.int.flatMap { $0 < 0 ? nil : $0 } }

    /// Returns the entry with its index in the archive, unless it has the field with the index from an earlier copy, or
    /// a field of another tool with the same name.
    ///
    /// - Parameter index: The index.
    /// - Returns: The entry.
    func keepingIndex(_ index: Int) -> HAR.Entry {
        guard self[Self.originalIndexName] == nil else { return self }
        var entry = self
        entry[Self.originalIndexName] = .integer(index)
        return entry
    }
}
