package import Foundation

/// Base64 in the standard or the URL-safe alphabet (RFC 4648, https://www.rfc-editor.org/rfc/rfc4648#section-4).
///
/// In archives, Base64 may contain line breaks and omit padding.
package enum Base64 {
    /// Decodes Base64 in either alphabet, ignoring whitespace and padding.
    ///
    /// - Returns: The bytes, or `nil` if the text is not valid Base64.
    package static func decode(_ text: String) -> Data? {
        if let data = Data(base64Encoded: text) { return data }
        return text.withUTF8Bytes(characters)?.withUnsafeBytes { decode($0).map { Data($0) } }
    }

    /// Returns the characters of Base64 in either alphabet, without padding and whitespace.
    ///
    /// - Returns: The characters, or `nil` if the text contains other characters.
    static func characters(in text: UnsafeRawBufferPointer) -> [UInt8]? {
        let values = values
        var clean: [UInt8] = []
        clean.reserveCapacity(text.count)
        for byte in text {
            switch byte {
            case UInt8(ascii: "="), 0x09, 0x0A, 0x0D, 0x20: break
            default:
                guard values[Int(byte)] < 64 else { return nil }
                clean.append(byte)
            }
        }
        return clean
    }

    /// Decodes Base64 in either alphabet, without padding or whitespace.
    ///
    /// - Parameter characters: The characters. Each must be in one of the alphabets.
    /// - Returns: The bytes, or `nil` if the length is invalid. Unused trailing bits are ignored.
    static func decode(_ characters: UnsafeRawBufferPointer) -> [UInt8]? {
        guard characters.count % 4 != 1 else { return nil }
        let values = values
        return [UInt8](unsafeUninitializedCapacity: characters.count / 4 * 3 + 3) { bytes, count in
            var word: UInt32 = 0
            for (index, character) in characters.enumerated() {
                word = word << 6 | UInt32(values[Int(character)])
                if index % 4 == 3 {
                    bytes[count] = UInt8(truncatingIfNeeded: word >> 16)
                    bytes[count + 1] = UInt8(truncatingIfNeeded: word >> 8)
                    bytes[count + 2] = UInt8(truncatingIfNeeded: word)
                    count += 3
                }
            }
            let rest = characters.count % 4
            if rest > 1 {
                bytes[count] = UInt8(truncatingIfNeeded: word >> (rest == 2 ? 4 : 10))
                if rest == 3 { bytes[count + 1] = UInt8(truncatingIfNeeded: word >> 2) }
                count += rest - 1
            }
        }
    }

    /// Encodes bytes as Base64.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - isForURLs: Whether to use the URL-safe alphabet.
    ///   - hasPadding: Whether to append padding.
    /// - Returns: The characters.
    static func encode(_ bytes: [UInt8], isForURLs: Bool, hasPadding: Bool) -> [UInt8] {
        var text = Data(bytes).base64EncodedString()
        if isForURLs { text = text.replacing("+", with: "-").replacing("/", with: "_") }
        if !hasPadding { text = text.replacing("=", with: "") }
        return Array(text.utf8)
    }

    /// The six-bit value of each character in either alphabet, or 64 for any other byte.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: 64, count: 256)
        let characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
        for (value, character) in characters.enumerated() { values[Int(character)] = UInt8(value) }
        values[Int(UInt8(ascii: "-"))] = 62
        values[Int(UInt8(ascii: "_"))] = 63
        return values
    }()
}
