/// A position in text: its offset, line and column.
///
/// Lines and columns are counted as in Python's `json` module.
package struct TextPosition {
    /// The number of bytes before the position.
    package private(set) var offset = 0

    /// The line, counted from 1.
    ///
    /// Only a line feed ends a line.
    package private(set) var line = 1

    /// The column in Unicode code points, counted from 1.
    ///
    /// A byte order mark at the start of the text is not counted. An invalid UTF-8 sequence counts as one code point.
    package private(set) var column = 1

    /// The number of continuation bytes missing from the last code point.
    private var missingCount = 0

    /// Creates the position at the start of the text.
    package init() {}

    /// Advances the position past bytes that are not text, such as a byte order mark.
    package mutating func skip(_ count: Int) { offset += count }

    /// Advances the position past the next bytes of the text.
    package mutating func advance(over bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while let lineEnd = rest.firstOffset(of: UInt8(ascii: "\n")) {
            rest = rest[from: lineEnd + 1]
            (line, column, missingCount) = (line + 1, 1, 0)
        }
        countCodePoints(in: rest, from: offset + bytes.count - rest.count)
        offset += bytes.count
    }

    /// Adds the code points in part of a line to the column.
    private mutating func countCodePoints(in bytes: UnsafeRawBufferPointer, from start: Int) {
        var index = 0
        while index < bytes.count {
            if missingCount == 0 {
                let count = Self.asciiCount(in: bytes, from: index)
                column += count
                index += count
                if index == bytes.count { return }
            }
            let byte = bytes[index]
            if missingCount > 0, byte & 0xC0 == 0x80 {
                missingCount -= 1
            } else {
                missingCount = Self.continuationCount(after: byte)
                // At offset 0, the byte 0xEF begins a byte order mark, because no other non-ASCII character can begin a
                // JSON document.
                if start + index > 0 || byte != 0xEF { column += 1 }
            }
            index += 1
        }
    }

    /// Returns the number of ASCII characters from `start` on, in whole blocks of 32 bytes.
    private static func asciiCount(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end + 32 <= bytes.count {
            let words = bytes.loadUnaligned(fromByteOffset: end, as: SIMD4<UInt64>.self)
            guard (words & 0x8080_8080_8080_8080) == .zero else { break }
            end += 32
        }
        return end - start
    }

    /// Returns the number of continuation bytes after the first byte of a code point.
    private static func continuationCount(after byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 1
        case 0xE0...0xEF: 2
        case 0xF0...0xF4: 3
        default: 0
        }
    }
}

extension HARError {
    /// Adds the line and column of the offset to a syntax error that lacks them.
    ///
    /// Returns any other error unchanged.
    ///
    /// - Parameters:
    ///   - text: The parsed text.
    ///   - skipped: The number of bytes before the text that count toward offsets but not toward columns.
    /// - Returns: The error.
    func located(in text: UnsafeRawBufferPointer, after skipped: Int = 0) -> HARError {
        guard code == .malformedJSON, context.line == nil, let offset = context.byteOffset else { return self }
        var position = TextPosition()
        position.skip(skipped)
        position.advance(over: text[from: 0, to: min(offset - skipped, text.count)])
        return located(at: position)
    }

    /// Returns the error with the line and column of a position.
    func located(at position: TextPosition) -> HARError {
        var context = context
        (context.line, context.column) = (position.line, position.column)
        return HARError(code, message, at: context, underlying: underlying)
    }
}
