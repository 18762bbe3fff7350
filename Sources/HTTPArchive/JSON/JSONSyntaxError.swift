/// The first syntax error in text that the parser rejected.
///
/// The parser determines whether text is valid, but not where the error is. The text after the last accepted token is
/// therefore scanned again, byte by byte, according to RFC 8259. The resulting offset matches
/// Python's `json` module.
struct JSONSyntaxError {
    /// The offset of the syntax error.
    let offset: Int

    /// A description of the problem, without the content of strings, such as `expected ',' or '}', found '"'`.
    let problem: String

    /// Whether the error is at the first byte of a value or inside a scalar value.
    let isValue: Bool
}

extension JSONSyntaxError {
    /// The kind of token that the grammar expects next.
    enum Expectation {
        /// A value: the value of a member, an element after a comma, or the value of the document.
        case value

        /// The first element of an array, or its closing bracket.
        case firstValue

        /// The name of a member after a comma.
        case name

        /// The first name of an object, or its closing brace.
        case firstName

        case colon

        /// A comma, a closing bracket or brace, or the end of the input after the document's value.
        case separator
    }

    /// The state of the parser at the end of the accepted text.
    struct Situation {
        /// The kind of the innermost open container, or nil outside the document's value.
        var container: JSONToken.Kind?

        /// The last accepted token.
        var lastToken: AcceptedToken

        /// Whether a comma or a colon followed the token in text that is no longer in memory.
        var hasSeparator: Bool

        /// The name of the current member, if it may be printed.
        var memberName: String?
    }

    /// The kind of the last accepted token.
    enum AcceptedToken {
        case none, opening, name, value
    }

    /// Finds the syntax error.
    ///
    /// - Parameters:
    ///   - start: The offset after the last accepted token, or after a separator that follows it.
    ///   - situation: The state of the parser.
    ///   - byte: A closure that returns the byte at an offset, or nil at the end of the input.
    init(from start: Int, in situation: Situation, _ byte: (Int) -> UInt8?) {
        var offset = start
        var expectation = situation.expectation
        while true {
            while let next = byte(offset), JSONText.isWhitespace(next) { offset += 1 }
            guard let next = byte(offset), let following = situation.following(next, expectation) else {
                self.init(offset: offset, problem: situation.problem(expectation, at: offset, byte), expectation)
                return
            }
            switch next {
            case UInt8(ascii: "\""):
                if let (mistakeOffset, problem) = Self.mistake(inStringAt: &offset, byte) {
                    self.init(offset: mistakeOffset, problem: problem, expectation)
                    return
                }
            case UInt8(ascii: ","), UInt8(ascii: ":"): offset += 1
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"):
                // A parser accepts every bracket that the grammar allows.
                self.init(offset: offset, problem: "the text cannot be read", expectation)
                return
            default:
                guard let end = Self.scalarEnd(from: offset, in: byte) else {
                    self.init(offset: offset, problem: situation.problem(expectation, at: offset, byte), expectation)
                    return
                }
                offset = end
            }
            expectation = following
        }
    }

    private init(offset: Int, problem: String, _ expectation: Expectation) {
        self.init(
            offset: offset, problem: problem, isValue: expectation == .value || expectation == .firstValue)
    }

    // MARK: Scalars

    /// Returns the offset after a number or literal, or nil if the text at `start` is neither.
    private static func scalarEnd(from start: Int, in byte: (Int) -> UInt8?) -> Int? {
        for literal in ["true", "false", "null"] where byte(start) == literal.utf8.first {
            let isWhole = literal.utf8.enumerated().allSatisfy { byte(start + $0) == $1 }
            return isWhole ? start + literal.utf8.count : nil
        }
        // Any error is in the text after the longest valid number.
        return JSONText.numberEnd(from: start, in: byte)
    }

    /// Advances the offset past a string, or returns the syntax error in it.
    private static func mistake(
        inStringAt offset: inout Int, _ byte: (Int) -> UInt8?
    ) -> (offset: Int, problem: String)? {
        let start = offset
        let isUnterminated = (start, "the string that begins here has no closing quotation mark")
        offset += 1
        while let next = byte(offset) {
            switch next {
            case UInt8(ascii: "\""):
                offset += 1
                return nil
            case UInt8(ascii: "\\"):
                guard let letter = byte(offset + 1) else { return isUnterminated }
                if letter == UInt8(ascii: "u") {
                    let digits = (2..<6).prefix { byte(offset + $0).map(JSONText.isHexadecimal) ?? false }
                    // As in Python, the error is the same if the text ends immediately after the digits.
                    guard digits.count == 4, byte(offset + 6) != nil else {
                        return (offset + 1, "a \\u escape requires four hexadecimal digits")
                    }
                    offset += 6
                } else if "\"\\/bfnrt".utf8.contains(letter) {
                    offset += 2
                } else {
                    return (offset, "invalid escape sequence in a string; write a backslash as \\\\")
                }
            case ..<0x20: return (offset, "a control character in a string must be escaped")
            default: offset += 1
            }
        }
        return isUnterminated
    }
}

extension JSONSyntaxError.Situation {
    /// The kind of token that the grammar expects after the last one.
    fileprivate var expectation: JSONSyntaxError.Expectation {
        switch (lastToken, container) {
        case (.opening, .object): .firstName
        case (.opening, _): .firstValue
        case (.name, _): hasSeparator ? .value : .colon
        case (.value, .object): hasSeparator ? .name : .separator
        case (.value, _): hasSeparator ? .value : .separator
        case (.none, _): .value
        }
    }

    /// Returns the kind of token expected after a token that begins with `byte`, or nil if `byte` is unexpected.
    fileprivate func following(_ byte: UInt8, _ expectation: JSONSyntaxError.Expectation) -> JSONSyntaxError
        .Expectation?
    {
        switch (expectation, byte) {
        case (.colon, UInt8(ascii: ":")): .value
        case (.separator, UInt8(ascii: ",")) where container == .object: .name
        case (.separator, UInt8(ascii: ",")) where container == .array: .value
        case (.separator, UInt8(ascii: "}")) where container == .object: .separator
        case (.separator, UInt8(ascii: "]")) where container == .array: .separator
        case (.firstName, UInt8(ascii: "}")), (.firstValue, UInt8(ascii: "]")): .separator
        case (.name, UInt8(ascii: "\"")), (.firstName, UInt8(ascii: "\"")): .colon
        case (.value, _), (.firstValue, _):
            JSONText.isDigit(byte) || "\"{[-tfn".utf8.contains(byte) ? .separator : nil
        default: nil
        }
    }

    /// Returns the error message for an unexpected byte, or for the end of the input.
    ///
    /// The text may contain secrets, so the message shows at most one character of it.
    fileprivate func problem(
        _ expectation: JSONSyntaxError.Expectation, at offset: Int, _ byte: (Int) -> UInt8?
    ) -> String {
        let expected = "expected \(title(of: expectation))"
        guard let first = byte(offset) else { return "\(expected), found the end of the input" }
        if (0x21...0x7E).contains(first) { return "\(expected), found '\(Unicode.Scalar(first))'" }
        guard let scalar = Self.scalar(at: offset, byte) else {
            return "\(expected), found the byte 0x\(Hexadecimal.text([first]))"
        }
        let digits = String(scalar.value, radix: 16, uppercase: true)
        let name = "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
        let isVisible =
            switch scalar.properties.generalCategory {
            case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
                .spaceSeparator, .nonspacingMark, .enclosingMark, .spacingMark:
                false
            default: true
            }
        return "\(expected), found " + (isVisible ? "'\(scalar)' (\(name))" : "the character \(name)")
    }

    /// Returns the character at an offset, or nil if it is in ASCII or not valid UTF-8.
    private static func scalar(at offset: Int, _ byte: (Int) -> UInt8?) -> Unicode.Scalar? {
        guard let first = byte(offset), first >= 0xC2 else { return nil }
        let count = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        let bytes = (0..<count).compactMap { byte(offset + $0) }
        return String(validating: bytes, as: UTF8.self)?.unicodeScalars.first
    }

    private func title(of expectation: JSONSyntaxError.Expectation) -> String {
        let name = memberName.map { "\"\($0)\"" }
        switch (expectation, container) {
        case (.value, .object): return name.map { "the value of \($0)" } ?? "a value"
        case (.value, _): return "a value"
        case (.firstValue, _): return "a value or ']'"
        case (.name, _): return "a name in double quotation marks"
        case (.firstName, _): return "a name in double quotation marks or '}'"
        case (.colon, _): return "':' after \(name ?? "the name")"
        case (.separator, .object): return "',' or '}' after \(name.map { "the value of \($0)" } ?? "the value")"
        case (.separator, .array): return "',' or ']' after the value"
        case (.separator, _): return "the end of the input"
        }
    }
}

/// A position in text: its offset, line and column.
///
/// Lines and columns are counted as in Python's `json` module.
package struct TextPosition {
    /// The number of bytes before the position.
    package private(set) var offset = 0

    /// The line, counted from 1.
    ///
    /// Only a line feed ends a line.
    package private(set) var line = 1

    /// The column in Unicode code points, counted from 1.
    ///
    /// A byte order mark at the start of the text is not counted. An invalid UTF-8 sequence counts as one code point.
    package private(set) var column = 1

    /// The number of continuation bytes missing from the last code point.
    private var missingCount = 0

    /// Creates the position at the start of the text.
    package init() {}

    /// Advances the position past bytes that are not text, such as a byte order mark.
    package mutating func skip(_ count: Int) { offset += count }

    /// Advances the position past the next bytes of the text.
    package mutating func advance(over bytes: UnsafeRawBufferPointer) {
        var rest = bytes
        while let lineEnd = rest.firstOffset(of: UInt8(ascii: "\n")) {
            rest = rest[from: lineEnd + 1]
            (line, column, missingCount) = (line + 1, 1, 0)
        }
        countCodePoints(in: rest, from: offset + bytes.count - rest.count)
        offset += bytes.count
    }

    /// Adds the code points in part of a line to the column.
    private mutating func countCodePoints(in bytes: UnsafeRawBufferPointer, from start: Int) {
        var index = 0
        while index < bytes.count {
            if missingCount == 0 {
                let count = Self.asciiCount(in: bytes, from: index)
                column += count
                index += count
                if index == bytes.count { return }
            }
            let byte = bytes[index]
            if missingCount > 0, byte & 0xC0 == 0x80 {
                missingCount -= 1
            } else {
                missingCount = Self.continuationCount(after: byte)
                // At offset 0, the byte 0xEF begins a byte order mark, because no other non-ASCII character can begin a
                // JSON document.
                if start + index > 0 || byte != 0xEF { column += 1 }
            }
            index += 1
        }
    }

    /// Returns the number of ASCII characters from `start` on, in whole blocks of 32 bytes.
    private static func asciiCount(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var end = start
        while end + 32 <= bytes.count {
            let words = bytes.loadUnaligned(fromByteOffset: end, as: SIMD4<UInt64>.self)
            guard (words & 0x8080_8080_8080_8080) == .zero else { break }
            end += 32
        }
        return end - start
    }

    /// Returns the number of continuation bytes after the first byte of a code point.
    private static func continuationCount(after byte: UInt8) -> Int {
        switch byte {
        case 0xC2...0xDF: 1
        case 0xE0...0xEF: 2
        case 0xF0...0xF4: 3
        default: 0
        }
    }
}

extension HARError {
    /// Adds the line and column of the offset to a syntax error that lacks them.
    ///
    /// Returns any other error unchanged.
    ///
    /// - Parameters:
    ///   - text: The parsed text.
    ///   - skipped: The number of bytes before the text that count toward offsets but not toward columns.
    /// - Returns: The error.
    func located(in text: UnsafeRawBufferPointer, after skipped: Int = 0) -> HARError {
        guard code == .malformedJSON, context.line == nil, let offset = context.byteOffset else { return self }
        var position = TextPosition()
        position.skip(skipped)
        position.advance(over: text[from: 0, to: min(offset - skipped, text.count)])
        return located(at: position)
    }

    /// Returns the error with the line and column of a position.
    func located(at position: TextPosition) -> HARError {
        var context = context
        (context.line, context.column) = (position.line, position.column)
        return HARError(code, message, at: context, underlying: underlying)
    }
}
