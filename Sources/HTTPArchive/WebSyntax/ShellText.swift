package import Foundation

/// Text in the syntax of a POSIX shell
/// (https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02).
package enum ShellText {
    /// Returns a word in single quotes, in which only the single quote is special.
    ///
    /// - Parameter word: The word, without NUL characters, which an argument cannot contain.
    /// - Returns: The quoted word.
    package static func quoted(_ word: String) -> String {
        let parts = word.utf8.split(separator: UInt8(ascii: "'"), omittingEmptySubsequences: false)
        return "'" + parts.map { String(Substring($0)) }.joined(separator: #"'\''"#) + "'"
    }

    /// Returns a command that writes binary data.
    ///
    /// - Parameter bytes: The data.
    /// - Returns: A `printf` command that contains ASCII letters and digits literally and other bytes as octal escapes.
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

    /// Returns a command that writes a text.
    ///
    /// - Parameter text: The text, without NUL characters.
    /// - Returns: A `printf` command with the quoted text.
    package static func printing(_ text: String) -> String { "printf '%s' \(quoted(text))" }
}
