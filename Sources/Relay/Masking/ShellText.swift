import Foundation

/// Text as a POSIX shell reads it
/// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02).
enum ShellText {
    /// A word in single quotes, in which nothing but a single quote means anything.
    ///
    /// - Parameter word: The word, without the character of code 0, which no argument can have.
    /// - Returns: The text that a shell reads as this word.
    static func quoted(_ word: String) -> String {
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    /// The command that writes bytes of any kind.
    ///
    /// - Parameter bytes: The bytes.
    /// - Returns: A call of `printf` with letters and digits as they are, and octal numbers for all others.
    static func printing(_ bytes: Data) -> String {
        var format: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                format.append(byte)
            default:
                format += [UInt8(ascii: "\\")] + [byte >> 6, byte >> 3 & 7, byte & 7].map { UInt8(ascii: "0") + $0 }
            }
        }
        return "printf '\(String(decoding: format, as: UTF8.self))'"
    }

    /// The command that writes a text.
    ///
    /// - Parameter text: The text, without the character of code 0.
    /// - Returns: A call of `printf` with the text in quotes.
    static func printing(_ text: String) -> String { "printf '%s' \(quoted(text))" }
}
