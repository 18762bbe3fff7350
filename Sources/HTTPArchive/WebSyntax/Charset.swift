package import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// A character encoding, identified by a label such as `utf-8`.
///
/// Labels are resolved as in browsers (https://encoding.spec.whatwg.org/#names-and-labels), which record most archives.
/// For example, `iso-8859-1` means Windows-1252.
package struct Charset: Hashable, Sendable {
    /// UTF-8.
    package static let utf8 = Charset(name: "UTF-8")

    /// Windows-1252, also used for Latin-1 and ASCII.
    package static let windows1252 = Charset(name: "WINDOWS-1252")

    /// The iconv name of the charset.
    private let name: String

    private init(name: String) {
        self.name = name
    }

    /// UTF-16, little-endian.
    static let utf16LittleEndian = Charset(name: "UTF-16LE")

    /// UTF-16, big-endian.
    static let utf16BigEndian = Charset(name: "UTF-16BE")

    /// Creates a charset from its label.
    ///
    /// Returns `nil` if the Encoding Standard does not define the label, or if the system does not support the
    /// encoding. Encodings outside the standard are not passed to iconv. Some can change the meaning of text (UTF-7),
    /// and converters for rare encodings have had vulnerabilities (ISO-2022-CN-EXT, CVE-2024-2961).
    ///
    /// - Parameter label: The label, such as the `charset` parameter of a media type. Case is ignored.
    package init?(label: String) {
        let label = label.lowercased().trimming(.whitespaces)
        guard let name = Self.names[label] else { return nil }
        self.name = name
        guard self == .utf8 || self == .windows1252 || Converter(from: "UTF-8", to: name) != nil else { return nil }
    }

    /// The iconv name of the encoding for each label (https://encoding.spec.whatwg.org/#names-and-labels).
    ///
    /// The labels of the encodings `replacement` and `x-user-defined` are omitted because they do not represent text.
    static let names: [String: String] = {
        let lines = """
            UTF-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8
            IBM866 866 cp866 csibm866 ibm866
            ISO-8859-2 csisolatin2 iso-8859-2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
            ISO-8859-3 csisolatin3 iso-8859-3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
            ISO-8859-4 csisolatin4 iso-8859-4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
            ISO-8859-5 csisolatincyrillic cyrillic iso-8859-5 iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
            ISO-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6 iso-8859-6-e
            ISO-8859-6 iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
            ISO-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-8859-7 iso-ir-126 iso8859-7 iso88597
            ISO-8859-7 iso_8859-7 iso_8859-7:1987 sun_eu_greek
            ISO-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8 iso-8859-8-e iso-ir-138 iso8859-8 iso88598
            ISO-8859-8 iso_8859-8 iso_8859-8:1988 visual csiso88598i iso-8859-8-i logical
            ISO-8859-10 csisolatin6 iso-8859-10 iso-ir-157 iso8859-10 iso885910 l6 latin6
            ISO-8859-13 iso-8859-13 iso8859-13 iso885913
            ISO-8859-14 iso-8859-14 iso8859-14 iso885914
            ISO-8859-15 csisolatin9 iso-8859-15 iso8859-15 iso885915 iso_8859-15 l9
            ISO-8859-16 iso-8859-16
            KOI8-R cskoi8r koi koi8 koi8-r koi8_r
            KOI8-U koi8-ru koi8-u
            MACINTOSH csmacintosh mac macintosh x-mac-roman
            WINDOWS-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620 windows-874
            WINDOWS-1250 cp1250 windows-1250 x-cp1250
            WINDOWS-1251 cp1251 windows-1251 x-cp1251
            WINDOWS-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso8859-1 iso88591
            WINDOWS-1252 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252
            WINDOWS-1253 cp1253 windows-1253 x-cp1253
            WINDOWS-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9 iso_8859-9:1989 l5 latin5
            WINDOWS-1254 windows-1254 x-cp1254
            WINDOWS-1255 cp1255 windows-1255 x-cp1255
            WINDOWS-1256 cp1256 windows-1256 x-cp1256
            WINDOWS-1257 cp1257 windows-1257 x-cp1257
            WINDOWS-1258 cp1258 windows-1258 x-cp1258
            MAC-CYRILLIC x-mac-cyrillic x-mac-ukrainian
            GBK chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 gbk iso-ir-58 x-gbk
            GB18030 gb18030
            BIG5-HKSCS big5 big5-hkscs cn-big5 csbig5 x-x-big5
            EUC-JP cseucpkdfmtjapanese euc-jp x-euc-jp
            ISO-2022-JP csiso2022jp iso-2022-jp
            CP932 csshiftjis ms932 ms_kanji shift-jis shift_jis sjis windows-31j x-sjis
            UHC cseuckr csksc56011987 euc-kr iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
            UTF-16BE unicodefffe utf-16be
            UTF-16LE csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le
            """
        var names: [String: String] = [:]
        for words in lines.split(separator: "\n").map({ $0.split(separator: " ") }) {
            for label in words.dropFirst() { names[String(label)] = String(words[0]) }
        }
        return names
    }()

    /// Encodes text without loss.
    ///
    /// - Parameter text: The text.
    /// - Returns: The bytes, or `nil` if the charset cannot represent the whole text.
    package func encodeExactly(_ text: String) -> Data? { encode(text, replacement: nil) }

    /// Encodes text, replacing each character that the charset cannot represent with a question mark.
    func encode(_ text: String) -> Data { encode(text, replacement: UInt8(ascii: "?")) ?? Data(text.utf8) }

    private func encode(_ text: String, replacement: UInt8?) -> Data? {
        let utf8 = Data(text.utf8)
        if self == .utf8 { return utf8 }
        if self == .windows1252 {
            if utf8.withUnsafeBytes({ $0.isASCII }) { return utf8 }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(utf8.count)
            for scalar in text.unicodeScalars {
                guard let byte = Self.windows1252Byte(scalar) ?? replacement else { return nil }
                bytes.append(byte)
            }
            return Data(bytes)
        }
        return Converter(from: "UTF-8", to: name)?.convert(utf8) { bytes in
            // Skip the continuation bytes of the same scalar.
            replacement.map { (1 + bytes.dropFirst().prefix { $0 & 0xC0 == 0x80 }.count, [$0]) }
        }
    }

    /// Decodes bytes, replacing invalid bytes with U+FFFD.
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

    /// Returns the Windows-1252 byte for a scalar.
    ///
    /// As in Latin-1, U+0080 to U+009F are encoded as 0x80 to 0x9F.
    private static func windows1252Byte(_ scalar: Unicode.Scalar) -> UInt8? {
        if scalar.value < 0x100 { return UInt8(scalar.value) }
        return windows1252Scalars[0x80..<0xA0].firstIndex(of: scalar).map(UInt8.init)
    }

    /// The scalar for each Windows-1252 byte (https://encoding.spec.whatwg.org/index-windows-1252.txt).
    private static let windows1252Scalars: [Unicode.Scalar] = {
        let special = Array(
            "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
        let latin1 = (0..<0x100).map { Unicode.Scalar(UInt8($0)) }
        return latin1[..<0x80] + special + latin1[0xA0...]
    }()
}

/// An owned iconv conversion descriptor.
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
    ///   - input: The bytes in the source charset.
    ///   - replace: A closure that takes the remaining input and returns the number of invalid bytes to skip and their
    ///     replacement.
    /// - Returns: The bytes in the target charset, or `nil` if `replace` returns `nil`.
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
