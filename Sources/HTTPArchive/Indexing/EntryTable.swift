/// The summaries of an archive's entries: segments that were made apart from each other, one after the other.
struct EntryTable: Sendable {
    let segments: [EntrySegment]

    /// The number of entries before each segment.
    private let starts: [Int]

    /// The number of entries.
    let count: Int

    /// Joins segments.
    init(_ segments: [EntrySegment]) {
        var count = 0
        self.segments = segments
        starts = segments.map { segment in
            defer { count += segment.count }
            return count
        }
        self.count = count
    }

    /// The place of an entry's text in the file.
    func byteRange(at index: Int) -> Range<Int> {
        let (segment, start) = segment(of: index)
        return segment.byteRange(at: index - start)
    }

    subscript(index: Int) -> HAREntrySummary {
        let (segment, start) = segment(of: index)
        return segment[index - start]
    }

    /// The segment that an entry is in, and the number of entries before it.
    ///
    /// There are a few dozen segments at most.
    private func segment(of index: Int) -> (EntrySegment, Int) {
        let number = starts.lastIndex { $0 <= index } ?? 0
        return (segments[number], starts[number])
    }
}
