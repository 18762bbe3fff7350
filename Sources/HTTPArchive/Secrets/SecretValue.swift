/// Determines whether a value is a secret if its name indicates one.
///
/// These values are harmless regardless of the name:
/// - empty strings, `0`, `1`, and keywords for Booleans and missing values in programming languages, in any case;
/// - single-digit JSON numbers, which are flags and counts; other numbers may be PINs and codes;
/// - dates with a time, such as `2026-01-01T12:00`; a date without a time may be a password;
/// - masked text, such as `****` and `[FILTERED]`, and template variables, such as `${token}`.
///
/// If the name alone indicates a secret, every other value is a secret, no matter how short it is. If the name is
/// ambiguous, the value must also look random.
enum SecretValue {
    /// Whether a value cannot be a secret.
    ///
    /// - Parameters:
    ///   - value: The value, unescaped.
    ///   - isNumber: Whether the value is an unquoted number or word in JSON; `false` by default.
    /// - Returns: Whether the value is harmless.
    static func isHarmless(_ value: [UInt8], isNumber: Bool = false) -> Bool {
        guard let first = value.first else { return true }
        if value.count == 1 { return isNumber ? first.isDigit : first == 0x30 || first == 0x31 || first == 0x2A }
        if value.count <= longestWord, wordStarts.contains(first.lowercase), words.contains(value.map(\.lowercase)) {
            return true
        }
        return isMasked(value) || isTime(value) || isVariable(value)
    }

    /// Whether a value looks random: a single word with at least two letters and two digits.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - least: The minimum length, in bytes; 16 by default.
    /// - Returns: Whether the value looks random.
    static func looksRandom(_ value: [UInt8], least: Int = 16) -> Bool {
        guard value.count >= least, value.count <= 8192 else { return false }
        var digits = 0
        var letters = 0
        for byte in value {
            if byte.isDigit {
                digits += 1
            } else if byte.isPartOfWord {
                letters += 1
            } else if !"-._~+/=:".utf8.contains(byte) {
                return false
            }
        }
        return digits >= 2 && letters >= 2
    }

    /// Whether a word is the JSON literal `null`, `true` or `false`.
    static func isLiteral(_ word: UnsafeRawBufferPointer) -> Bool {
        ["null", "true", "false"].contains { word.elementsEqual($0.utf8) }
    }

    /// Whether a path segment or a user name looks like a token, unlike `step-2`, `signUp` and `2026-01-31`.
    ///
    /// One of its parts must be long, or mix letters and digits, or mix uppercase and lowercase letters.
    static func looksLikeToken(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.count >= 6, value.count <= 8192 else { return false }
        var (count, digits, returns, capitals) = (0, 0, 0, 0)
        var last: UInt8 = 0
        for byte in value {
            guard byte.isPartOfWord, byte != UInt8(ascii: "_") else {
                (count, digits, returns, capitals, last) = (0, 0, 0, 0, 0)
                continue
            }
            count += 1
            digits += byte.isDigit ? 1 : 0
            returns += last.isDigit && !byte.isDigit ? 1 : 0
            capitals += 0x61...0x7A ~= last && 0x41...0x5A ~= byte ? 1 : 0
            last = byte
            if count >= 20 || capitals >= 3 { return true }
            if count >= 6 && digits >= 2 && (returns > 0 || digits >= 3 && count - digits >= 2) { return true }
        }
        return false
    }

    /// Whether the text of a choice describes it.
    static func isLabel(_ text: UnsafeRawBufferPointer) -> Bool {
        isSentence(text) || isProse([UInt8](text.withoutBlanks))
    }

    /// Whether an unquoted value is an ordinary word or a variable, as in `Password: required.` and
    /// `password=form.value`.
    ///
    /// The value consists of lowercase or non-ASCII letters, hyphens and periods. The first character may be any
    /// character other than a digit, and punctuation may follow.
    static func isProse(_ value: [UInt8]) -> Bool {
        let marks = value.reversed().prefix { ".,;:!?".utf8.contains($0) }.count
        let word = value.dropLast(marks)
        return word.dropFirst().allSatisfy {
            0x61...0x7A ~= $0 || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") || $0 >= 0x80
        }
            && word.first.map { !$0.isDigit } ?? true
    }

    /// Whether a quoted value in code or markup is a sentence, such as a label: words separated by spaces, without
    /// digits.
    static func isSentence(_ value: UnsafeRawBufferPointer) -> Bool {
        guard value.firstOffset(of: 0x20) != nil else { return false }
        return value.allSatisfy {
            $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A || $0 >= 0x80 || $0 == 0x20 || ".,;:!?'()-…".utf8.contains($0)
        }
    }

    private static func isMasked(_ value: [UInt8]) -> Bool {
        if value.first == UInt8(ascii: "*") { return value.allSatisfy { $0 == UInt8(ascii: "*") } }
        guard value.first == bullet[0], value.count % bullet.count == 0 else { return false }
        return value.indices.allSatisfy { value[$0] == bullet[$0 % bullet.count] }
    }

    /// Whether a value looks like an ISO 8601 date with a time.
    private static func isTime(_ value: [UInt8]) -> Bool {
        guard value.count >= 16, value.count <= 40, value[4] == 0x2D, value[7] == 0x2D, value[13] == 0x3A,
            value[10] == UInt8(ascii: "T") || value[10] == 0x20
        else { return false }
        return [0, 1, 2, 3, 5, 6, 8, 9, 11, 12, 14, 15].allSatisfy { value[$0].isDigit }
            && value[16...].allSatisfy { $0.isDigit || ":.+-Z".utf8.contains($0) }
    }

    private static func isVariable(_ value: [UInt8]) -> Bool {
        (value.last == UInt8(ascii: "}") || value.last == UInt8(ascii: ">"))
            && variables.contains { value.count > $0.count + 1 && value.starts(with: $0) }
    }

    private static let bullet = Array("•".utf8)

    private static let variables = ["${", "{{", "<%", "#{"].map { Array($0.utf8) }

    private static let words = Set(
        [
            "null", "nil", "true", "false", "undefined", "none", "deleted", "nan", "[object object]", "[filtered]",
            "[redacted]", "<redacted>", "[removed]", "[masked]", "<removed>", "[hidden]",
        ].map { Array($0.utf8) })

    private static let wordStarts = Set(words.compactMap(\.first))
    private static let longestWord = 16
}
