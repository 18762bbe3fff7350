package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A character encoding, created from the label in a media type.
///
/// Labels are resolved as in browsers (https://encoding.spec.whatwg.org/#names-and-labels), because browsers decoded
/// the
/// text in an archive. For example, `iso-8859-1` is windows-1252.
package struct Charset: Hashable, Sendable {
    /// UTF-8.
    package static let utf8 = Charset(name: "UTF-8")

    /// Windows-1252, also used for Latin-1 and ASCII.
    package static let windows1252 = Charset(name: "WINDOWS-1252")

    /// The name of the charset for iconv.
    private let name: String

    private init(name: String) {
        self.name = name
    }

    /// UTF-16, little-endian.
    static let utf16LittleEndian = Charset(name: "UTF-16LE")

    /// UTF-16, big-endian.
    static let utf16BigEndian = Charset(name: "UTF-16BE")

    /// Creates a charset from its label; returns `nil` if the system does not support it.
    ///
    /// - Parameter label: The label, such as the `charset` parameter of a media type, in any case.
    package init?(label: String) {
        let label = label.lowercased()
        let name = Self.names[label] ?? label
        guard !name.isEmpty, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            return nil
        }
        self.name = name
        guard self == .utf8 || self == .windows1252 || Converter(from: "UTF-8", to: name) != nil else { return nil }
    }

    /// The names of charsets whose labels iconv does not know, or resolves differently from browsers.
    private static let names: [String: String] = [
        "utf8": "UTF-8", "utf-8": "UTF-8", "unicode-1-1-utf-8": "UTF-8",
        "iso-8859-1": "WINDOWS-1252", "iso8859-1": "WINDOWS-1252", "iso_8859-1": "WINDOWS-1252",
        "latin1": "WINDOWS-1252", "l1": "WINDOWS-1252", "ascii": "WINDOWS-1252", "us-ascii": "WINDOWS-1252",
        "windows-1252": "WINDOWS-1252", "cp1252": "WINDOWS-1252", "x-cp1252": "WINDOWS-1252",
        "iso-8859-9": "WINDOWS-1254", "latin5": "WINDOWS-1254", "iso-8859-11": "WINDOWS-874",
        "tis-620": "WINDOWS-874", "shift_jis": "CP932", "shift-jis": "CP932", "sjis": "CP932", "x-sjis": "CP932",
        "windows-31j": "CP932", "euc-kr": "UHC", "ks_c_5601-1987": "UHC", "gb2312": "GBK", "gb_2312-80": "GBK",
        "big5": "BIG5-HKSCS", "x-gbk": "GBK", "utf-16": "UTF-16LE", "unicode": "UTF-16LE",
    ]

    /// Encodes text without loss.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes; `nil` if the charset cannot represent all of the text.
    package func encodeExactly(_ text: String) -> Data? {
        if self == .utf8 { return Data(text.utf8) }
        if self == .windows1252 {
            if text.utf8.allSatisfy({ $0 < 0x80 }) { return Data(text.utf8) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.utf8.count)
            for scalar in text.unicodeScalars {
                guard let byte = Self.windows1252Byte(scalar) else { return nil }
                bytes.append(byte)
            }
            return Data(bytes)
        }
        return Converter(from: "UTF-8", to: name)?.convert(Data(text.utf8)) { _ in nil }
    }

    /// Encodes text, with a question mark for every character that the charset cannot represent.
    func encode(_ text: String) -> Data {
        if let data = encodeExactly(text) { return data }
        let mark = UInt8(ascii: "?")
        if self == .windows1252 { return Data(text.unicodeScalars.map { Self.windows1252Byte($0) ?? mark }) }
        return Converter(from: "UTF-8", to: name)?.convert(Data(text.utf8)) { bytes in
            // Skip the rest of the scalar: all continuation bytes.
            (1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count, [mark])
        } ?? Data(text.utf8)
    }

    /// Decodes bytes, with U+FFFD for every invalid byte.
    ///
    /// - Parameter data: The bytes.
    /// - Returns: The text.
    package func decode(_ data: Data) -> String {
        if self == .utf8 { return String(decoding: data, as: UTF8.self) }
        if self == .windows1252 {
            return String(String.UnicodeScalarView(data.map { Self.windows1252Scalars[Int($0)] }))
        }
        let text = Converter(from: name, to: "UTF-8")?.convert(data) { _ in (1, [0xEF, 0xBF, 0xBD]) } ?? data
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the byte of a scalar in Windows-1252; U+0080 to U+009F are accepted as well, as in Latin-1.
    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x100 { return UInt8(scalar.value) }
        return windows1252Scalars[0x80..<0xA0].firstIndex(of: scalar).map(UInt8.init)
    }

    /// The scalars of the 256 bytes of Windows-1252 (https://encoding.spec.whatwg.org/index-windows-1252.txt).
    private static let windows1252Scalars: [Unicode.Scalar] = {
        let special = Array(
            "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        let latin1 = (0..<0x100).map { Unicode.Scalar(UInt8($0)) }
        return latin1[..<0x80] + special + latin1[0xA0...]
    }()
}

/// Owns one iconv conversion descriptor.
private struct Converter: ~Copyable {
    private let handle: iconv_t

    init?(from source: String, to target: String) {
        guard let handle = iconv_open(target, source), Int(bitPattern: handle) != -1 else { return nil }
        self.handle = handle
    }

    deinit { iconv_close(handle) }

    /// Converts bytes.
    ///
    /// - Parameters:
    ///   - input: The bytes in the source's charset.
    ///   - replace: Returns the number of invalid bytes to skip, and their replacement.
    /// - Returns: The bytes in the target's charset; `nil` if `replace` returns `nil`.
    consuming func convert(
        _ input: Data, replace: (ArraySlice<UInt8>) -> (count: Int, replacement: [UInt8])?
    ) -> Data? {
        var input = [UInt8](input)
        var output = Data()
        var start = 0
        let count = input.count
        var buffer = [CChar](repeating: 0, count: 4096)
        let capacity = buffer.count
        while start < count {
            var problem: Int32 = 0
            input.withUnsafeMutableBytes { bytes in
                buffer.withUnsafeMutableBufferPointer { target in
                    var from = bytes.baseAddress?.advanced(by: start).assumingMemoryBound(to: CChar.self)
                    var left = count - start
                    var to = target.baseAddress
                    var room = capacity
                    if iconv(handle, &from, &left, &to, &room) == -1 { problem = errno }
                    start = count - left
                    output.append(contentsOf: UnsafeRawBufferPointer(target).prefix(capacity - room))
                }
            }
            guard problem == EILSEQ || problem == EINVAL else { continue }
            guard let replaced = replace(input[start...]) else { return nil }
            output.append(contentsOf: replaced.replacement)
            start += replaced.count
        }
        return output
    }
}
