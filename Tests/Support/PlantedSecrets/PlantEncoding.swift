import CZlib
import Foundation
import HTTPArchive

/// An encoding of a text within another text.
package enum PlantEncoding: String, Sendable, CaseIterable {
    case plain, percent, percentTwice, json, jsonTwice, base64, base64URL, gzip, zlib, deflate, multipart, sse, xml,
        utf16, utf32

    /// Returns the encoded text.
    func encode(_ text: String) -> String {
        switch self {
        case .plain: text
        case .percent: text.percentEncoded
        case .percentTwice: text.percentEncoded.percentEncoded
        case .json: #"{"id":7,"data":\#(text.quotedAsJSON)}"#
        case .jsonTwice: #"{"id":7,"data":\#("{\"inner\":\(text.quotedAsJSON)}".quotedAsJSON)}"#
        case .base64: Data(text.utf8).base64EncodedString()
        case .base64URL: Data(text.utf8).base64URL
        case .gzip, .zlib, .deflate: compressed(text).base64EncodedString()
        case .utf16, .utf32: Data(wide(text)).base64EncodedString()
        case .multipart:
            "--b0undary\r\nContent-Disposition: form-data; name=\"data\"\r\n\r\n\(text)\r\n--b0undary--\r\n"
        case .sse:
            "event: update\nid: 7\n"
                + text.split(separator: "\n", omittingEmptySubsequences: false).map { "data: \($0)\n" }.joined() + "\n"
        case .xml: "<?xml version=\"1.0\"?><message><data>\(text.escapedForXML)</data></message>"
        }
    }

    /// Returns the compressed text.
    func compressed(_ text: String) -> Data {
        let bits: Int32 =
            switch self {
            case .gzip: MAX_WBITS + 16
            case .deflate: -MAX_WBITS
            default: MAX_WBITS
            }
        return PlantCompression.compressed(Data(text.utf8), windowBits: bits)
    }

    /// Returns the text in UTF-16 or UTF-32 with a byte order mark, in little-endian byte order.
    private func wide(_ text: String) -> [UInt8] {
        let width = self == .utf16 ? 2 : 4
        let units = width == 2 ? text.utf16.map(UInt32.init) : text.unicodeScalars.map(\.value)
        return ([0xFEFF] + units).flatMap { unit in
            (0..<width).map { UInt8(truncatingIfNeeded: unit >> UInt32(8 * $0)) }
        }
    }

    /// The name of the content coding, or nil for any other encoding.
    var coding: String? {
        switch self {
        case .gzip: "gzip"
        case .zlib, .deflate: "deflate"
        default: nil
        }
    }
}

/// Compression with zlib.
enum PlantCompression {
    static func compressed(_ data: Data, windowBits: Int32) -> Data {
        var stream = z_stream()
        guard
            deflateInit2_(
                &stream, 9, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
                Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return Data() }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var output = [UInt8](repeating: 0, count: data.count * 2 + 64)
        let count = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END ? output.count - Int(stream.avail_out) : 0
            }
        }
        return Data(output[..<count])
    }

    /// Returns the content of data in one of the three compressed formats, or nil if the data is not compressed.
    static func inflated(_ data: [UInt8]) -> [UInt8]? {
        guard data.count > 8 else { return nil }
        let isFramed = data[0] == 0x1F && data[1] == 0x8B || data[0] == 0x78
        for bits in isFramed ? [MAX_WBITS + 32] : [-MAX_WBITS] {
            var stream = z_stream()
            guard inflateInit2_(&stream, bits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
                continue
            }
            defer { inflateEnd(&stream) }
            var input = data
            var output = [UInt8](repeating: 0, count: 1 << 18)
            let count: Int? = input.withUnsafeMutableBufferPointer { input in
                output.withUnsafeMutableBufferPointer { output in
                    stream.next_in = input.baseAddress
                    stream.avail_in = UInt32(input.count)
                    stream.next_out = output.baseAddress
                    stream.avail_out = UInt32(output.count)
                    guard inflate(&stream, Z_FINISH) == Z_STREAM_END, stream.avail_in == 0 else { return nil }
                    return output.count - Int(stream.avail_out)
                }
            }
            if let count { return Array(output[..<count]) }
        }
        return nil
    }
}

extension String {
    /// The text with all bytes percent-encoded except unreserved characters (RFC 3986, section 2.3).
    package var percentEncoded: String {
        if isUnreserved { return self }
        return utf8.map { byte in
            byte.isUnreserved ? String(UnicodeScalar(byte)) : "%" + byte.hexadecimalText.uppercased()
        }.joined()
    }

    /// The text between quotation marks, with JSON's escapes.
    package var quotedAsJSON: String { "\"" + escapedForJSON + "\"" }

    /// Whether all encodings of this module except Base64 leave the text unchanged.
    var isUnreserved: Bool { utf8.allSatisfy(\.isUnreserved) }

    var escapedForJSON: String {
        if isUnreserved { return self }
        return replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\r", with: "\\r")
            .replacing("\n", with: "\\n").replacing("\t", with: "\\t")
    }

    var escapedForXML: String {
        if isUnreserved { return self }
        return replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;").replacing("'", with: "&#39;")
    }
}

extension Data {
    var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"): true
        default: self == UInt8(ascii: "~")
        }
    }

    var hexadecimalText: String { String(self >> 4, radix: 16) + String(self & 15, radix: 16) }
}
