import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A character encoding under the label that a server gave it.
///
/// Labels mean what they mean to browsers (https://encoding.spec.whatwg.org/#names-and-labels): `iso-8859-1` is
/// windows-1252, for example, because that is how the text in an archive was decoded.
struct Charset: Hashable, Sendable {
    /// UTF-8.
    static let utf8 = Charset(name: "UTF-8")

    /// Windows-1252, which stands for Latin-1 and ASCII too.
    static let windows1252 = Charset(name: "WINDOWS-1252")

    /// The name that iconv knows it by.
    private let name: String

    private init(name: String) {
        self.name = name
    }

    /// Finds a charset; `nil` when the system knows none of that label.
    init?(label: String) {
        let label = label.lowercased()
        let name = Self.names[label] ?? label
        guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else { return nil }
        self.name = name
        guard self == .utf8 || self == .windows1252 || Converter(from: "UTF-8", to: name) != nil else { return nil }
    }

    /// Labels that browsers read in another way than iconv.
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

    /// Encodes text; what the charset cannot write becomes a question mark.
    func encode(_ text: String) -> Data {
        if self == .utf8 { return Data(text.utf8) }
        if self == .windows1252 { return Data(text.unicodeScalars.map(Self.windows1252Byte)) }
        return Converter(from: "UTF-8", to: name)?.convert(Data(text.utf8), replacement: "?") { bytes in
            // The rest of a scalar: up to the next byte that begins one.
            1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count
        } ?? Data(text.utf8)
    }

    /// Decodes bytes; what is no text becomes U+FFFD.
    func decode(_ data: Data) -> String {
        if self == .utf8 { return String(decoding: data, as: UTF8.self) }
        if self == .windows1252 {
            return String(String.UnicodeScalarView(data.map { Self.windows1252Scalars[Int($0)] }))
        }
        let text = Converter(from: name, to: "UTF-8")?.convert(data, replacement: "\u{FFFD}") { _ in 1 } ?? data
        return String(decoding: text, as: UTF8.self)
    }

    /// The byte of a scalar; both readings of 0x80 to 0x9F are understood, Latin-1's and Windows'.
    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8 {
        if scalar.value < 0x100 { return UInt8(scalar.value) }
        return windows1252Scalars[0x80..<0xA0].firstIndex(of: scalar).map(UInt8.init) ?? UInt8(ascii: "?")
    }

    /// The scalars of Windows-1252's bytes (https://encoding.spec.whatwg.org/index-windows-1252.txt).
    private static let windows1252Scalars: [Unicode.Scalar] = {
        let special = Array(
            "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        let latin1 = (0..<0x100).map { Unicode.Scalar(UInt8($0)) }
        return latin1[..<0x80] + special + latin1[0xA0...]
    }()
}

/// Owns one conversion of the system's iconv.
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
    ///   - replacement: What is written for bytes that cannot be converted.
    ///   - skip: How many of the bytes given to it stand for one replacement.
    /// - Returns: The bytes in the target's charset.
    consuming func convert(_ input: Data, replacement: String, skip: (ArraySlice<UInt8>) -> Int) -> Data {
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
                    output.append(contentsOf: target.prefix(capacity - room).map { UInt8(bitPattern: $0) })
                }
            }
            if problem == EILSEQ || problem == EINVAL {
                output.append(contentsOf: Array(replacement.utf8))
                start += max(1, skip(input[start...]))
            }
        }
        return output
    }
}
