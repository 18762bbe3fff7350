package import Foundation

/// Words and commands in the syntax of a POSIX shell
/// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02).
package enum ShellText {
    /// Quotes a word with single quotes and escapes the single quotes in it.
    ///
    /// - Parameter word: The word. It must not contain NUL characters, which an argument cannot contain.
    /// - Returns: The quoted word.
    package static func quoted(_ word: String) -> String {
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    /// Returns a command that prints binary data.
    ///
    /// - Parameter bytes: The data.
    /// - Returns: A `printf` command. It contains octal escapes for all bytes except ASCII letters and digits.
    package static func printing(_ bytes: Data) -> String {
        var format: [UInt8] = []
        for byte in bytes {
            if ByteSet.alphanumerics.contains(byte) {
                format.append(byte)
            } else {
                format += [UInt8(ascii: "\\")] + [byte >> 6, byte >> 3 & 7, byte & 7].map { UInt8(ascii: "0") + $0 }
            }
        }
        return "printf '\(String(decoding: format, as: UTF8.self))'"
    }

    /// Returns a command that prints text.
    ///
    /// - Parameter text: The text. It must not contain NUL characters.
    /// - Returns: A `printf` command with the quoted text.
    package static func printing(_ text: String) -> String { "printf '%s' \(quoted(text))" }
}
