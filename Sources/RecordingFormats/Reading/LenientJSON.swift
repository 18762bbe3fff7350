package import Foundation
package import HTTPArchive

/// A parser for JSON, with or without trailing commas, and for JSON Lines.
package enum LenientJSON {
    /// Parses JSON that may have a comma after the last element of an array or the last member of an object.
    ///
    /// Lines that each contain one object (JSON Lines, https://jsonlines.org) are parsed as an array.
    ///
    /// - Parameter data: The text, in UTF-8, with or without a byte order mark.
    /// - Returns: The value.
    /// - Throws: `malformedJSON` with the offset, line and column, or `limitExceeded`.
    package static func value(of data: Data) throws(HARError) -> JSONValue {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        guard data.starts(with: mark) else { return try value(ofUnmarked: data) }
        // Replacing the mark with spaces preserves all offsets.
        do {
            return try value(ofUnmarked: Data(repeating: 0x20, count: mark.count) + data.dropFirst(mark.count))
        } catch {
            // Columns are counted after the mark.
            var context = error.context
            if context.line == 1 { context.column = context.column.map { $0 - mark.count } }
            throw HARError(error.code, error.message, at: context, underlying: error.underlying)
        }
    }

    private static func value(ofUnmarked data: Data) throws(HARError) -> JSONValue {
        do {
            return try JSONValue(parsing: data)
        } catch  where error.code == .malformedJSON {
            let text = [UInt8](data)
            if let lines = try lines(of: text) { return lines }
            guard let strict = withoutTrailingCommas(text) else { throw error }
            return try JSONValue(parsing: Data(strict))
        }
    }

    /// Returns an array of the lines' objects, or nil if there is only one line or the first line is not an object.
    private static func lines(of text: [UInt8]) throws(HARError) -> JSONValue? {
        let lines = text.split(separator: UInt8(ascii: "\n")).filter { line in line.contains { $0 > 0x20 } }
        guard lines.count > 1, (try? JSONValue(parsing: Data(lines[0])))?.object != nil else { return nil }
        var values: [JSONValue] = []
        for line in lines {
            do {
                values.append(try JSONValue(parsing: Data(line)))
            } catch {
                var context = error.context
                context.byteOffset = context.byteOffset.map { $0 + line.startIndex }
                context.line = text[..<line.startIndex].count { $0 == UInt8(ascii: "\n") } + 1
                throw HARError(error.code, error.message, at: context)
            }
        }
        return .array(values)
    }

    /// Returns the text with trailing commas replaced by spaces, or nil if it has no trailing commas.
    private static func withoutTrailingCommas(_ text: [UInt8]) -> [UInt8]? {
        var text = text
        var isInString = false
        var isEscaped = false
        var comma: Int?
        var last = UInt8(ascii: ",")
        var isChanged = false
        for index in text.indices {
            let byte = text[index]
            if isInString {
                if byte == UInt8(ascii: "\""), !isEscaped { isInString = false }
                isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
                continue
            }
            guard ![0x09, 0x0A, 0x0D, 0x20].contains(byte) else { continue }
            switch byte {
            case UInt8(ascii: ","): comma = Self.precedesValue(last) ? nil : index
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let comma {
                    text[comma] = 0x20
                    isChanged = true
                }
                comma = nil
            default:
                comma = nil
                isInString = byte == UInt8(ascii: "\"")
            }
            last = byte
        }
        return isChanged ? text : nil
    }

    /// Returns whether a byte must be followed by a value rather than a comma.
    private static func precedesValue(_ byte: UInt8) -> Bool { "[{,:".utf8.contains(byte) }
}
