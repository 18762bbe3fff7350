import Foundation

/// Reads and compares the URLs of entries without creating strings.
extension EntryTable {
    /// Calls a closure with the index and the URL of each entry in a range.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        for (segment, start) in zip(segments, starts) {
            let part = indices.clamped(to: start..<start + segment.count)
            segment.forEachURL(in: part.lowerBound - start..<part.upperBound - start) { body(start + $0, $1) }
        }
    }

    /// Returns indices sorted by the bytes of their URLs.
    ///
    /// Equal URLs are in the order of the archive. The URLs are not copied, because they can take most of the memory of an archive.
    ///
    /// - Parameters:
    ///   - indices: The indices, in ascending order.
    ///   - isDescending: Whether the last URL is first.
    /// - Returns: The sorted indices.
    func sortedByURL(_ indices: [UInt32], isDescending: Bool) -> [UInt32] {
        let isBefore = { (first: UInt32, second: UInt32, order: Int) in
            order == 0 ? first < second : (order < 0) != isDescending
        }
        // Finding the URLs takes most of the time, so the entries of each chunk are sorted first. Sorting the rest then
        // needs fewer comparisons.
        var sorted: [UInt32] = []
        sorted.reserveCapacity(indices.count)
        while sorted.count < indices.count {
            let rest = indices[sorted.count...]
            let (segment, start) = segment(of: Int(rest[rest.startIndex]))
            let number = (Int(rest[rest.startIndex]) - start) / EntrySegment.chunkSize
            let (chunk, chunkStart) = (segment.chunks[number], start + number * EntrySegment.chunkSize)
            let part = rest.prefix { Int($0) < chunkStart + chunk.rows.count }
            sorted += chunk.text.withUnsafeBytes { text in
                part.sorted { one, other in
                    isBefore(one, other, chunk.order(Int(one) - chunkStart, Int(other) - chunkStart, in: text))
                }
            }
        }
        // The chunk does not contain large entries, so this order is final only for the others.
        sorted.sort { first, second in
            let order = withURL(at: Int(first)) { url in withURL(at: Int(second)) { url.order(to: $0) } }
            return isBefore(first, second, order)
        }
        return sorted
    }

    private func withURL<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let number = starts.lastIndex { $0 <= index } ?? 0
        let (chunk, row) = (index - starts[number]).quotientAndRemainder(dividingBy: EntrySegment.chunkSize)
        if !segments[number].large.isEmpty, var url = segments[number].large[index - starts[number]]?.url {
            return url.withUTF8 { body(UnsafeRawBufferPointer($0)) }
        }
        return segments[number].chunks[chunk].text.withUnsafeBytes { text in
            let range = segments[number].chunks[chunk].row(at: row).url
            return body(text[from: range.lowerBound, to: range.upperBound])
        }
    }
}

extension EntrySegment {
    /// Calls a closure with the index and the URL of each entry in a range.
    func forEachURL(in indices: Range<Int>, _ body: (_ index: Int, _ url: UnsafeRawBufferPointer) -> Void) {
        var index = indices.lowerBound
        while index < indices.upperBound {
            let number = index / Self.chunkSize
            let end = min(indices.upperBound, (number + 1) * Self.chunkSize)
            let chunk = chunks[number]
            chunk.text.withUnsafeBytes { text in
                while index < end {
                    let range = chunk.row(at: index % Self.chunkSize).url
                    if !large.isEmpty, var url = large[index]?.url {
                        url.withUTF8 { body(index, UnsafeRawBufferPointer($0)) }
                    } else {
                        body(index, text[from: range.lowerBound, to: range.upperBound])
                    }
                    index += 1
                }
            }
        }
    }
}

extension EntrySegment.Chunk {
    /// Compares the URLs of two entries of the chunk, whose text is given.
    fileprivate func order(_ first: Int, _ second: Int, in text: UnsafeRawBufferPointer) -> Int {
        let (one, other) = (row(at: first).url, row(at: second).url)
        return text[from: one.lowerBound, to: one.upperBound].order(
            to: text[from: other.lowerBound, to: other.upperBound])
    }
}

extension UnsafeRawBufferPointer {
    /// Returns a number that is negative if the bytes are before other ones, positive if they are after them, and 0 if
    /// they are equal.
    fileprivate func order(to other: UnsafeRawBufferPointer) -> Int {
        guard let start = baseAddress, let otherStart = other.baseAddress else { return count - other.count }
        let order = Int(memcmp(start, otherStart, Swift.min(count, other.count)))
        return order == 0 ? count - other.count : order
    }
}
