extension LockedFile {
    /// Makes an archive whole if its writing was broken off.
    ///
    /// - Parameter configuration: The settings of the reader.
    /// - Returns: The index of the whole archive, and how many bytes were taken out; `nil` when nothing was to be done.
    /// - Throws: `malformedJSON` when more is wrong; `notAnArchive`, `limitExceeded`, `unreadableFile`; `unwritableFile`.
    /// - Complexity: O(*n*) in the size of the file.
    func mend(
        _ configuration: HARReader.Configuration
    ) throws(HARError) -> (index: ArchiveIndex, removedByteCount: Int?) {
        let input = input
        let failure: HARError
        do {
            return (try ArchiveIndex(of: input, configuration: configuration), nil)
        } catch {
            failure = error
        }
        guard failure.code == .malformedJSON,
            let remains = try ArchiveRemains(of: input, limits: configuration.limits)
        else { throw failure }
        let oldSize = size
        // Each step leaves what the next opening can mend.
        switch remains.mending {
        case .cut(let place, let closing):
            try truncate(to: place)
            try write(Array(closing.utf8), at: place)
            return (try ArchiveIndex(of: input, configuration: configuration), oldSize - place)
        case .blanks(let range):
            if remains.size < oldSize { try truncate(to: remains.size) }
            let count = try input.textCount(in: range)
            try blank(range)
            return (try ArchiveIndex(of: input, configuration: configuration), count)
        }
    }
}

extension InputFile {
    /// The number of bytes up to the last one that is no white space.
    fileprivate func textCount(in range: Range<Int>) throws(HARError) -> Int {
        var count = 0
        var place = range.lowerBound
        while place < range.upperBound {
            let bytes = try bytes(in: place..<min(place + 1 << 20, range.upperBound))
            if let last = bytes.lastIndex(where: { !JSONText.isWhitespace($0) }) {
                count = place + last + 1 - range.lowerBound
            }
            place += bytes.count
        }
        return count
    }
}
