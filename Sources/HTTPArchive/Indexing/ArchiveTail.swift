import CPlatform
import Foundation

/// What stands behind the entries of an archive that is appended to, from their closing bracket on.
///
/// Brackets alone are written again behind each entry. A tail with fields, which must not be lost and may be large, is
/// parked: it stands apart from the entries, behind a gap of blanks, into which entries are written. White space that
/// stands between tokens of no other file is the mark at the end of the gap, by which a parked tail is found again where
/// the text before it is broken.
struct ArchiveTail: Equatable {
    /// The tail of an archive that has nothing behind its entries.
    static let brackets = "\n]}}\n"

    /// What stands right before a parked tail.
    static let mark: [UInt8] = Array("\n\t \t\n".utf8)

    /// The most brackets and white space that are written with each entry, in bytes.
    private static let maximumBracketSize = 64

    /// The text.
    let bytes: [UInt8]

    /// Whether there is nothing but brackets in it, so that it need not be kept.
    var isBrackets: Bool {
        bytes.count <= Self.maximumBracketSize
            && bytes.allSatisfy { JSONText.isWhitespace($0) || "]}".utf8.contains($0) }
    }

    /// The tail with a page behind the others of the log.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - others: Pages that stood elsewhere; they come first where the tail has none.
    /// - Returns: The new tail.
    /// - Throws: `notAnArchive` when `pages` is no array.
    func appending(_ page: HAR.Page, after others: JSONValue?) throws(HARError) -> ArchiveTail {
        let head = Array(#"{"log":{"entries":["#.utf8)
        let text = Data(head + bytes)
        var editor = try JSONEditor(text)
        let pages = try HAR.Log(data: text).fields["pages"]
        guard case .array = pages ?? others ?? [] else {
            throw HARError(.notAnArchive, "The `pages` of the archive are no array, so none can be appended.")
        }
        if pages == nil { try editor.set(others ?? [], at: JSONPointer(["log", "pages"])) }
        try editor.set(.object(page.fields), at: JSONPointer(["log", "pages", "-"]))
        return ArchiveTail(bytes: [UInt8](editor.text.dropFirst(head.count)))
    }

    /// The place behind the last mark in a part of a file; `nil` when there is none.
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

    /// The most white space between a mark and the bracket, in bytes.
    static let maximumIndent = 1 << 12

    /// From the mark in front of a parked tail to the closing bracket of `entries`; `nil` when there is none.
    static func range(in file: InputFile, between start: Int, and end: Int) throws(HARError) -> Range<Int>? {
        guard let offset = try offsetAfterMark(in: file, between: start, and: end) else { return nil }
        let bytes = try file.bytes(in: offset..<min(offset + maximumIndent + 1, end))
        guard let bracket = bytes.firstIndex(where: { !JSONText.isWhitespace($0) }), bytes[bracket] == UInt8(ascii: "]")
        else { return nil }
        return offset - mark.count..<offset + bracket
    }

    /// Whether nothing but white space stands before the last mark in a part of a file.
    static func isMark(in file: InputFile, between start: Int, and end: Int) throws(HARError) -> Bool {
        guard let offset = try offsetAfterMark(in: file, between: start, and: end) else { return false }
        return try file.bytes(in: start..<offset).allSatisfy(JSONText.isWhitespace)
    }
}

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
    var tailOffset: Int

    /// The size of the file.
    var size: Int { tailOffset + tail.bytes.count }

    /// Whether there is a gap, with a mark at its end, before the tail.
    var isParked: Bool { tailOffset > end }

    /// The number of bytes that can be written before the tail.
    var room: Int { isParked ? tailOffset - ArchiveTail.mark.count - end : 0 }

    /// Finds the end.
    ///
    /// - Parameters:
    ///   - file: The archive.
    ///   - entriesRange: What stands between the brackets of `entries`.
    /// - Throws: `unreadableFile`.
    init(in file: InputFile, around entriesRange: Range<Int>) throws(HARError) {
        start = entriesRange.lowerBound
        end = try Self.end(in: file, of: entriesRange)
        isEmpty = end == start
        let size = file.size ?? entriesRange.upperBound
        tailOffset = end
        if let parked = try ArchiveTail.range(in: file, between: end, and: entriesRange.upperBound + 1) {
            tailOffset = parked.lowerBound + ArchiveTail.mark.count
        } else if entriesRange.upperBound - end > ArchiveTail.maximumIndent {
            // White space, which nobody misses.
            tailOffset = entriesRange.upperBound
        }
        tail = ArchiveTail(bytes: try file.bytes(in: tailOffset..<size))
    }

    /// The place behind the last byte that is no white space.
    private static func end(in file: InputFile, of entriesRange: Range<Int>) throws(HARError) -> Int {
        var end = entriesRange.upperBound
        while end > entriesRange.lowerBound {
            let start = max(entriesRange.lowerBound, end - 1 << 12)
            let bytes = try file.bytes(in: start..<end)
            if let last = bytes.lastIndex(where: { !JSONText.isWhitespace($0) }) { return start + last + 1 }
            end = start
        }
        return end
    }
}
