import CPlatform
import Foundation
import HTTPArchive

/// Finds planted values in redacted texts, in any encoding.
package enum PlantSearch {
    /// Returns the encoded forms of a secret.
    package static func forms(of secret: String) -> [[UInt8]] {
        var forms: Set<String> = [secret]
        if !secret.isUnreserved {
            forms = [
                secret, secret.percentEncoded, secret.percentEncoded.percentEncoded, secret.percentEncoded.lowercased(),
                secret.percentEncoded.replacing("%20", with: "+"), secret.escapedForJSON,
                secret.escapedForJSON.replacing("/", with: "\\/"), secret.escapedForJSON.escapedForJSON,
                secret.escapedForXML,
                secret.escapedForXML.escapedForJSON,
            ]
        }
        if secret.utf8.count >= 16 {
            forms.formUnion([String(secret.prefix(8)), String(secret.suffix(8))])
        }
        let hexadecimal = Hexadecimal.text(secret.utf8)
        if secret.utf8.count >= 6 { forms.formUnion([hexadecimal, hexadecimal.uppercased()]) }
        if secret.utf8.count >= 8 {
            for shift in 0..<3 {
                // Keep only the characters that do not depend on the text before and after the secret.
                let text = Data(repeating: 0x20, count: shift) + Data(secret.utf8)
                let encoded = text.base64EncodedString().drop { _ in false }
                let first = shift == 0 ? 0 : shift + 1
                let last = text.count / 3 * 4
                let core = String(encoded.dropFirst(first).prefix(last - first))
                forms.formUnion([core, core.replacing("+", with: "-").replacing("/", with: "_")])
            }
        }
        return forms.filter { $0.utf8.count >= 6 }.map { Array($0.utf8) }
    }

    /// Returns the text with Base64, and compressed data in Base64, replaced by the decoded content.
    package static func flattened(_ text: [UInt8], depth: Int = 0) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        while offset < text.count {
            guard text[offset].isBase64 else {
                result.append(text[offset])
                offset += 1
                continue
            }
            var end = offset
            while end < text.count, text[end].isBase64 { end += 1 }
            let last = end
            while end < text.count, end < last + 2, text[end] == UInt8(ascii: "=") { end += 1 }
            result += content(text[offset..<end], depth: depth) ?? Array(text[offset..<end])
            offset = end
        }
        return result
    }

    private static func content(_ run: ArraySlice<UInt8>, depth: Int) -> [UInt8]? {
        guard run.count >= 24, depth < 3 else { return nil }
        let standard = run.filter { $0 != UInt8(ascii: "=") }.map { byte -> UInt8 in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        let padded =
            String(decoding: standard, as: UTF8.self) + String(repeating: "=", count: (4 - standard.count % 4) % 4)
        guard let data = Data(base64Encoded: padded) else { return nil }
        var bytes = [UInt8](data)
        // The bytes of a character in UTF-16 or UTF-32 other than the first one are null.
        if bytes.starts(with: [0xFF, 0xFE]) { bytes = bytes.dropFirst(2).filter { $0 != 0 } }
        // STOMP frames end with a zero byte.
        let isText = bytes.allSatisfy { 0x20...0x7E ~= $0 || 0x09...0x0D ~= $0 || $0 == 0 }
        if isText { return flattened(bytes, depth: depth + 1) }
        return PlantCompression.inflated(bytes).map { flattened($0, depth: depth + 1) }
    }

    /// Returns the text with percent-encoded bytes decoded once.
    static func percentDecoded(_ text: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var offset = 0
        while offset < text.count {
            if text[offset] == UInt8(ascii: "%"), offset + 2 < text.count,
                let byte = UInt8(String(decoding: text[offset + 1...offset + 2], as: UTF8.self), radix: 16)
            {
                result.append(byte)
                offset += 3
            } else {
                result.append(text[offset])
                offset += 1
            }
        }
        return result
    }

    /// Returns the text with the digits of every placeholder replaced by zeros.
    package static func withoutDigits(_ text: [UInt8]) -> [UInt8] {
        let word = Array("REDACTED-".utf8)
        var result = text
        var offset = 0
        while let start = result[offset...].offset(of: word) {
            offset = start + word.count
            while offset < result.count, offset < start + word.count + 16, result[offset].isHexadecimal {
                result[offset] = UInt8(ascii: "0")
                offset += 1
            }
        }
        return result
    }

    /// The placeholder for a secret in an expected text.
    package static let placeholder = "REDACTED-0000000000000000"

    /// Returns the number of occurrences of a string.
    package static func count(of part: String, in text: [UInt8]) -> Int {
        let part = Array(part.utf8)
        var count = 0
        var offset = 0
        while let start = text[offset...].offset(of: part) {
            count += 1
            offset = start + part.count
        }
        return count
    }
}

extension ArraySlice<UInt8> {
    /// Returns the offset of the first occurrence of a sequence of bytes.
    func offset(of part: [UInt8]) -> Int? {
        withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, let found = search_find(base, bytes.count, part, part.count) else {
                return nil
            }
            return startIndex + (found - base)
        }
    }
}

extension UInt8 {
    fileprivate var isBase64: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"): true
        case UInt8(ascii: "_"): true
        default: false
        }
    }

    fileprivate var isHexadecimal: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
        default: false
        }
    }
}
