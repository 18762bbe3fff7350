/// Where the entries of a whole archive end, and what stands behind them.
struct EntriesEnd {
    /// The place behind the opening bracket of `entries`.
    let start: Int

    /// The place behind the last value of `entries`.
    var end: Int

    /// Whether there is no value in `entries`.
    var isEmpty: Bool

    /// What stands behind the entries.
    var tail: ArchiveTail

    /// The place of that; behind a gap where it is parked.
    var tailPlace: Int

    /// The size of the file.
    var size: Int { tailPlace + tail.bytes.count }

    /// Whether there is a gap, with a mark at its end, before the tail.
    var isParked: Bool { tailPlace > end }

    /// The number of bytes that can be written before the tail.
    var room: Int { isParked ? tailPlace - ArchiveTail.mark.count - end : 0 }

    /// Finds the end.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - place: What stands between the brackets of `entries`.
    /// - Throws: `unreadableFile`.
    init(in file: InputFile, around place: Range<Int>) throws(HARError) {
        start = place.lowerBound
        end = try Self.end(in: file, of: place)
        isEmpty = end == start
        let size = file.size ?? place.upperBound
        tailPlace = end
        if let parked = try ArchiveTail.place(in: file, between: end, and: place.upperBound + 1) {
            tailPlace = parked.lowerBound + ArchiveTail.mark.count
        } else if place.upperBound - end > ArchiveTail.maximumIndent {
            // White space, which nobody misses.
            tailPlace = place.upperBound
        }
        tail = ArchiveTail(bytes: try file.bytes(in: tailPlace..<size))
    }

    /// The place behind the last byte that is no white space.
    private static func end(in file: InputFile, of place: Range<Int>) throws(HARError) -> Int {
        var end = place.upperBound
        while end > place.lowerBound {
            let start = max(place.lowerBound, end - 1 << 12)
            let bytes = try file.bytes(in: start..<end)
            if let last = bytes.lastIndex(where: { !JSONText.isWhitespace($0) }) { return start + last + 1 }
            end = start
        }
        return end
    }
}
