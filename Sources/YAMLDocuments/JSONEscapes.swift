import Foundation
import HTTPArchive

/// The escape sequences in which JSON differs from YAML.
enum JSONEscapes {
    /// Returns a JSON text in which each surrogate pair, such as `\ud83d\ude00`, is replaced with its character.
    ///
    /// The YAML parser rejects surrogate pairs.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - data: The bytes of the text.
    /// - Returns: The text; unchanged if it is not JSON.
    static func combined(in text: String, _ data: Data) -> String {
        guard data.range(of: Data("\\u".utf8)) != nil, (try? JSONValue(parsing: data)) != nil else { return text }
        let bytes = [UInt8](data)
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            // In JSON, a backslash always begins an escape sequence of at least two bytes.
            if bytes[index] != UInt8(ascii: "\\") {
                result.append(bytes[index])
                index += 1
            } else if let high = unit(at: index, in: bytes), UTF16.isLeadSurrogate(high),
                let low = unit(at: index + 6, in: bytes), UTF16.isTrailSurrogate(low)
            {
                result += String(decoding: [high, low], as: UTF16.self).utf8
                index += 12
            } else {
                result += bytes[index..<min(index + 2, bytes.count)]
                index += 2
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Returns the UTF-16 code unit of an escape sequence such as `\ud83d`, or nil if another text is at an index.
    private static func unit(at index: Int, in bytes: [UInt8]) -> UInt16? {
        guard index + 6 <= bytes.count, bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return nil }
        return UInt16(String(decoding: bytes[(index + 2)..<(index + 6)], as: UTF8.self), radix: 16)
    }
}
