import CPlatform
import Foundation

/// The text from the closing bracket of `entries` to the end of an archive that is open for appending.
///
/// A tail that consists only of brackets is rewritten after each entry. A tail with fields must not be lost and can be
/// large, so it is parked: it is moved to the end of a gap of whitespace, and new entries are written into the gap.
/// The gap ends with a mark, a sequence of whitespace that is unlikely to occur anywhere else. A parked tail can be
/// found by its mark even if the text before it is damaged.
struct ArchiveTail: Equatable {
    /// The tail of an archive that has no fields after `entries`.
    static let brackets = "\n]}}\n"

    /// The whitespace directly before a parked tail.
    static let mark: [UInt8] = Array("\n\t \t\n".utf8)

    /// The maximum size of a tail that is rewritten after each entry, in bytes.
    private static let maximumBracketSize = 64

    /// The text.
    let bytes: [UInt8]

    /// Whether the tail is short and has only brackets and whitespace, so that it can be rewritten after each entry.
    var isBrackets: Bool {
        bytes.count <= Self.maximumBracketSize
            && bytes.allSatisfy { JSONText.isWhitespace($0) || "]}".utf8.contains($0) }
    }

    /// Returns the tail with a page appended to the log's pages.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - others: The pages before the entries, which are copied to the tail if it has no pages.
    ///   - archive: The archive, for the error message.
    /// - Returns: The new tail.
    /// - Throws: `notAnArchive` if `pages` is not an array.
    func appending(_ page: HAR.Page, after others: JSONValue?, in archive: URL) throws(HARError) -> ArchiveTail {
        let head = Array(#"{"log":{"entries":["#.utf8)
        let text = Data(head + bytes)
        var editor = try JSONEditor(text)
        let pages = try HAR.Log(data: text).fields["pages"]
        let value: JSONValue = pages ?? others ?? []
        guard case .array = value else {
            throw HARError(
                .notAnArchive,
                "Expected an array as the value of `pages`, found \(value.kindTitle). Append the page to another file.",
                at: .init(file: archive.path))
        }
        if pages == nil { try editor.set(others ?? [], at: JSONPointer(["log", "pages"])) }
        try editor.set(.object(page.fields), at: JSONPointer(["log", "pages", "-"]))
        return ArchiveTail(bytes: [UInt8](editor.text.dropFirst(head.count)))
    }

    /// Returns the offset after the last mark between two offsets, or `nil` if there is no mark.
    static func offsetAfterMark(in file: InputFile, between start: Int, and end: Int) throws(HARError) -> Int? {
        var found: Int?
        var offset = start
        while offset < end {
            let window = try file.bytes(in: offset..<min(offset + 1 << 20, end))
            window.withUnsafeBytes { bytes in
                var rest = bytes
                while let base = rest.baseAddress, let match = search_find(base, rest.count, mark, mark.count) {
                    rest = rest[from: match - UnsafeRawPointer(base) + mark.count]
                    found = offset + bytes.count - rest.count
                }
            }
            if offset + window.count == end { break }
            offset += window.count - mark.count + 1
        }
        return found
    }

    /// The maximum size of the whitespace between a mark and the closing bracket of `entries`, in bytes.
    static let maximumIndent = 1 << 12

    /// Returns the range from the mark before a parked tail to the closing bracket of `entries`, or `nil` if there is
    /// no parked tail.
    static func range(in file: InputFile, between start: Int, and end: Int) throws(HARError) -> Range<Int>? {
        guard let offset = try offsetAfterMark(in: file, between: start, and: end) else { return nil }
        let bytes = try file.bytes(in: offset..<min(offset + maximumIndent + 1, end))
        guard let bracket = bytes.firstIndex(where: { !JSONText.isWhitespace($0) }), bytes[bracket] == UInt8(ascii: "]")
        else { return nil }
        return offset - mark.count..<offset + bracket
    }

    /// Returns whether the text after a complete archive is an incomplete parked tail.
    ///
    /// The text before the mark must be whitespace, possibly followed by zeros. After a power failure, a file can
    /// contain zeros in place of data that did not reach the disk.
    static func isIncomplete(in file: InputFile, between start: Int, and end: Int) throws(HARError) -> Bool {
        var offset = start
        while offset < end {
            let bytes = try file.bytes(in: offset..<min(offset + 1 << 16, end))
            if let first = bytes.first(where: { !JSONText.isWhitespace($0) }) {
                if first == 0 { return true }
                break
            }
            offset += bytes.count
        }
        guard let offset = try offsetAfterMark(in: file, between: start, and: end) else { return false }
        return try file.bytes(in: start..<offset).allSatisfy(JSONText.isWhitespace)
    }
}

/// The end of the entries in a complete archive, and the tail that follows them.
struct EntriesEnd {
    /// The offset just after the opening bracket of `entries`.
    let start: Int

    /// The offset after the last value of `entries`.
    var end: Int

    /// Whether `entries` is empty.
    var isEmpty: Bool

    /// The text after the entries.
    var tail: ArchiveTail

    /// The offset of the tail, which follows a gap if the tail is parked.
    var tailOffset: Int

    /// The size of the file.
    var size: Int { tailOffset + tail.bytes.count }

    /// Whether a gap separates the tail from the entries.
    var isParked: Bool { tailOffset > end }

    /// The number of bytes that can be written before the tail.
    var room: Int { isParked ? tailOffset - ArchiveTail.mark.count - end : 0 }

    /// Finds the end of the entries.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - entriesRange: The range between the brackets of `entries`.
    /// - Throws: `unreadableFile`.
    init(in file: InputFile, around entriesRange: Range<Int>) throws(HARError) {
        start = entriesRange.lowerBound
        end = try file.end(of: entriesRange) { !JSONText.isWhitespace($0) }
        isEmpty = end == start
        let size = file.size ?? entriesRange.upperBound
        tailOffset = end
        if let parked = try ArchiveTail.range(in: file, between: end, and: entriesRange.upperBound + 1) {
            tailOffset = parked.lowerBound + ArchiveTail.mark.count
        } else if entriesRange.upperBound - end > ArchiveTail.maximumIndent {
            // Whitespace that is too long for an indent is treated as a gap, although it has no mark.
            tailOffset = entriesRange.upperBound
        }
        tail = ArchiveTail(bytes: try file.bytes(in: tailOffset..<size))
    }
}

extension InputFile {
    /// Returns the offset after the last byte in a range that is part of the content, or the start of the range.
    func end(of range: Range<Int>, isContent: (UInt8) -> Bool) throws(HARError) -> Int {
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - 1 << 16)
            if let last = try bytes(in: start..<end).lastIndex(where: isContent) { return start + last + 1 }
            end = start
        }
        return end
    }
}
