import Foundation
import HTTPArchive

extension String {
    /// Returns the text padded with trailing spaces to a width.
    func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - columnCount)) }

    /// Returns the text padded with leading spaces to a width.
    func aligned(right width: Int) -> String { String(repeating: " ", count: max(0, width - columnCount)) + self }

    /// The number of columns that a terminal uses for the text, which has one line.
    ///
    /// ASCII text, the usual case, has one column per byte, unless it contains CR LF.
    var columnCount: Int {
        if utf8.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) { return utf8.count }
        return reduce(0) { $0 + $1.columnCount }
    }

    /// Returns the text, truncated with an ellipsis if it exceeds a width.
    func truncated(to width: Int) -> String {
        columnCount <= width ? self : prefix(characterCount(in: max(0, width - 1))) + "…"
    }

    /// Returns the text with an ellipsis in the middle if it exceeds a width, because both ends of a URL matter.
    func shortened(to width: Int) -> String {
        if columnCount <= width { return self }
        let end = reversed().characterCount(in: max(0, width - width / 2 - 1))
        return prefix(characterCount(in: width / 2)) + "…" + suffix(end)
    }

    /// The lines of a body, including empty ones, without their line breaks.
    var allLines: [Substring] { split(omittingEmptySubsequences: false, whereSeparator: \.endsLine) }

    /// The text without a byte order mark at its start.
    var withoutByteOrderMark: String {
        unicodeScalars.first == "\u{FEFF}" ? String(unicodeScalars.dropFirst()) : self
    }

    /// The text on one line, with terminal control characters replaced.
    ///
    /// Text from archives comes from servers, which are not trusted.
    var printable: String {
        if utf8.allSatisfy({ 0x20..<0x7F ~= $0 }) || !unicodeScalars.contains(where: \.isUnprintable) { return self }
        return String(String.UnicodeScalarView(unicodeScalars.map { $0.isUnprintable ? "\u{FFFD}" : $0 }))
    }
}

extension String {
    /// The text of a CSV field that spreadsheets do not treat as a formula: with an apostrophe before a character that
    /// begins a formula (https://owasp.org/www-community/attacks/CSV_Injection).
    var withoutFormula: String {
        guard let first = unicodeScalars.first, Self.formulaStarts.contains(first) else { return self }
        return "'" + self
    }

    private static let formulaStarts: Set<Unicode.Scalar> = [
        "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
    ]
}

extension Sequence<Character> {
    /// Returns the number of characters from the start that fit into a number of columns.
    fileprivate func characterCount(in columns: Int) -> Int {
        var rest = columns
        return prefix {
            rest -= $0.columnCount
            return rest >= 0
        }.count
    }
}

extension Character {
    /// Whether the character ends a line of a body: LF, CRLF or CR.
    ///
    /// Other line separators of Unicode are part of a line, as in JSON and in most editors.
    var endsLine: Bool { self == "\n" || self == "\r\n" || self == "\r" }

    /// The number of columns that a terminal uses for the character: 2 for East Asian wide characters and for emoji.
    fileprivate var columnCount: Int {
        guard let first = unicodeScalars.first, first.value >= 0x300 else { return 1 }
        if first.isWide || unicodeScalars.contains("\u{FE0F}") { return 2 }
        return [.nonspacingMark, .enclosingMark, .format].contains(first.properties.generalCategory) ? 0 : 1
    }
}

extension Unicode.Scalar {
    /// The number of columns that a terminal uses for the character, or nil if it may be combined with the character
    /// before or after it.
    fileprivate var columnCountAlone: Int? {
        switch value {
        // Latin letters, quotation marks, dashes, currency symbols and the replacement character.
        case 0x20..<0x7F, 0xA0..<0x300, 0x2010...0x2027, 0x2030...0x205E, 0x20A0...0x20CF, 0xFFFD: 1
        // Punctuation, Hiragana, Katakana, Chinese characters and Korean syllables.
        case 0x3001...0x3029, 0x3041...0x3096, 0x309B...0x30FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xAC00...0xD7A3: 2
        default: isUnprintable ? 1 : nil
        }
    }

    /// Whether a terminal uses two columns for the character (https://www.unicode.org/reports/tr11/).
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF,
            0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
            true
        default: properties.isEmojiPresentation
        }
    }
}

extension StringProtocol {
    /// Returns the text on one line, with terminal control characters replaced, and truncated with an ellipsis if it
    /// exceeds a width.
    ///
    /// - Complexity: O(*width*) for text without combined characters, and otherwise O(*n*).
    func printable(upTo width: Int) -> String {
        var text = String(self)
        return text.withUTF8 { Self.printable($0, upTo: width) } ?? text.printable.truncated(to: width)
    }

    /// Returns the printable text, or nil if characters may be combined, whose width depends on each other.
    private static func printable(_ text: UnsafeBufferPointer<UInt8>, upTo width: Int) -> String? {
        var shown: [UInt8] = []
        shown.reserveCapacity(4 * width)
        var columns = 0
        // The size of the longest start that leaves a column for the ellipsis.
        var size = 0
        var offset = 0
        while offset < text.count {
            let byte = text[offset]
            let isPlain = 0x20..<0x7F ~= byte
            var length = 1
            var scalar = Unicode.Scalar(byte)
            if !isPlain, byte >= 0x80 {
                length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
                var rest = text[offset..<offset + length].makeIterator()
                var decoder = UTF8()
                guard case .scalarValue(let decoded) = decoder.decode(&rest) else { return nil }
                scalar = decoded
            }
            guard let count = isPlain ? 1 : scalar.columnCountAlone else { return nil }
            columns += count
            if columns > width { return String(decoding: shown[..<size], as: UTF8.self) + "…" }
            if isPlain || !scalar.isUnprintable {
                shown.append(contentsOf: text[offset..<offset + length])
            } else {
                shown.append(contentsOf: UTF8.encodedReplacementCharacter)
            }
            if columns < width { size = shown.count }
            offset += length
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// The text with terminal control characters replaced, except line breaks and tabs.
    ///
    /// Everything that a command prints passes through here, so that text from an archive, a file name or an option
    /// cannot control the terminal.
    var withoutControls: String {
        var text = String(self)
        if text.withUTF8(Self.isPlain) || !unicodeScalars.contains(where: \.controlsTerminal) { return text }
        return String(
            String.UnicodeScalarView(unicodeScalars.map { $0.controlsTerminal ? "\u{FFFD}" : $0 }))
    }

    /// Returns whether text certainly contains no control characters.
    ///
    /// The bytes of frequent characters are recognized without looking up properties of the characters.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var offset = 0
        while offset < text.count {
            switch text[offset] {
            // ASCII, continuations, U+00C0 to U+05FF, and U+3000 to U+DFFF.
            case 0x20..<0x7F, 0x09, 0x0A, 0x80..<0xC0, 0xC3...0xD7, 0xE3...0xED: offset += 1
            // U+2000 to U+2FFF.
            case 0xE2 where offset + 2 < text.count:
                switch (text[offset + 1], text[offset + 2]) {
                case (0x80, 0x8B...0x8F), (0x80, 0xA8...0xAE), (0x81, 0xA0...0xAF): return false
                default: offset += 3
                }
            default: return false
            }
        }
        return true
    }
}

extension Int {
    /// The number of bytes as text, such as `12.3 kB`; a kilobyte has 1,000 bytes.
    var asBytes: String {
        guard self >= 1000 else { return "\(self) \(self == 1 ? "byte" : "bytes")" }
        var value = Double(self)
        var units = ["B", "kB", "MB", "GB", "TB", "PB"][...]
        while value >= 999.95, units.count > 1 {
            value /= 1000
            units.removeFirst()
        }
        return "\(value.rounded(to: 1)) \(units.first ?? "")"
    }

    /// Returns the number with a noun, such as `1 entry` or `2 entries`.
    func of(_ singular: String, _ plural: String) -> String { "\(self) \(self == 1 ? singular : plural)" }
}

extension Double {
    /// Returns the number with a fixed number of fraction digits.
    func rounded(to digits: Int) -> String {
        if digits == 0, self >= 0, self < 1e15 { return String(Int(clamping: rounded(.toNearestOrEven))) }
        return abs(self) < 1e15 ? String(format: "%.\(digits)f", self) : String(format: "%g", self)
    }
}

extension TimeInterval {
    /// The duration as text, such as `350 ms`, `3.2 s`, `4 min 5 s` or `2 h 10 min`.
    var asTime: String {
        if self < 1 { return "\((self * 1000).rounded(to: 0)) ms" }
        if self < 60 { return "\(rounded(to: 1)) s" }
        // Larger numbers of seconds are not integers.
        guard self < 1e15 else { return String(format: "%g d", self / 86400) }
        let seconds = Int(clamping: rounded())
        if seconds < 3600 { return "\(seconds / 60) min \(seconds % 60) s" }
        if seconds < 86400 { return "\(seconds / 3600) h \(seconds % 3600 / 60) min" }
        return "\(seconds / 86400) d \(seconds % 86400 / 3600) h"
    }
}
