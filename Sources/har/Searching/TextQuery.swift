import ArgumentParser
import Foundation
import HTTPArchive

/// A text or a regular expression to search for.
struct TextQuery: Sendable {
    private enum Kind {
        /// ASCII text, in lowercase if the case is ignored.
        case bytes([UInt8])

        /// Non-ASCII text, or a regular expression.
        case expression(NSRegularExpression)
    }

    private let kind: Kind

    /// The test for entries without a match; nil if every entry has to be parsed.
    let probe: TextProbe?

    /// Whether the case of letters is significant.
    private let matchesCase: Bool

    /// Creates a query for a text.
    ///
    /// - Parameters:
    ///   - text: The text, which must not be empty.
    ///   - matchesCase: Whether the case of letters is significant; `false` by default.
    init(text: String, matchesCase: Bool = false) {
        self.matchesCase = matchesCase
        probe = TextProbe(text, matchesCase: matchesCase)
        let literal = NSRegularExpression.escapedPattern(for: text)
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            kind = .bytes(Array((matchesCase ? text : text.lowercased()).utf8))
        } else {
            let expression = try? NSRegularExpression(pattern: literal, options: Self.options(matchesCase))
            kind = expression.map(Kind.expression) ?? .bytes(Array(text.utf8))
        }
    }

    /// Creates a query for a regular expression.
    ///
    /// - Parameters:
    ///   - expression: The expression, in the syntax of `NSRegularExpression`.
    ///   - matchesCase: Whether the case of letters is significant; `false` by default.
    /// - Throws: `ValidationError` if the expression is invalid.
    init(regularExpression expression: String, matchesCase: Bool = false) throws {
        self.matchesCase = matchesCase
        probe = nil
        do {
            kind = .expression(try NSRegularExpression(pattern: expression, options: Self.options(matchesCase)))
        } catch {
            throw ValidationError(
                "'\(expression.printable)' is not a valid regular expression; for its syntax, see "
                    + "https://unicode-org.github.io/icu/userguide/strings/regexp.html")
        }
    }

    private static func options(_ matchesCase: Bool) -> NSRegularExpression.Options {
        matchesCase ? [.anchorsMatchLines] : [.anchorsMatchLines, .caseInsensitive]
    }

    /// Returns the matches in a text, in order and without overlap; empty matches are omitted.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - limit: The maximum number of matches; no limit by default.
    /// - Returns: The ranges.
    /// - Throws: `limitExceeded` if a regular expression needs too much time or memory for the text.
    /// - Complexity: O(*n*) in the length of the text, for a text query.
    func matches(in text: String, limit: Int = .max) throws(HARError) -> [Range<String.Index>] {
        switch kind {
        case .bytes(let wanted):
            var text = text
            let offsets = text.withUTF8 { bytes in
                self.offsets(of: wanted, in: UnsafeRawBufferPointer(bytes), limit: limit)
            }
            return offsets.map { offset in
                let start = text.utf8.index(text.startIndex, offsetBy: offset)
                return start..<text.utf8.index(start, offsetBy: wanted.count)
            }
        case .expression(let expression):
            // This test takes a fraction of the time of a search with an expression.
            if probe?.needsNonASCII == true, text.utf8.allSatisfy({ $0 < 0x80 }) { return [] }
            var found: [Range<String.Index>] = []
            try expression.forEachMatch(in: text, named: "The regular expression '\(expression.pattern.printable)'") {
                guard $0.range.length > 0 else { return true }
                // `Range(_:in:)` fails if the range begins or ends between a carriage return and a line feed.
                let start = text.utf16.index(text.startIndex, offsetBy: $0.range.location)
                found.append(start..<text.utf16.index(start, offsetBy: $0.range.length))
                return found.count < limit
            }
            return found
        }
    }

    /// Returns whether a text contains a match, or may contain one because the search failed.
    func isContained(in text: String) -> Bool { (try? matches(in: text, limit: 1))?.isEmpty != true }

    private func offsets(of wanted: [UInt8], in text: UnsafeRawBufferPointer, limit: Int) -> [Int] {
        guard !matchesCase else { return Self.offsets(of: wanted, in: text, limit: limit) }
        return withUnsafeTemporaryAllocation(byteCount: max(1, text.count), alignment: 1) { lowercase in
            for offset in 0..<text.count {
                let byte = text[offset]
                lowercase[offset] = byte &- 0x41 < 26 ? byte | 0x20 : byte
            }
            return Self.offsets(
                of: wanted, in: UnsafeRawBufferPointer(lowercase)[from: 0, to: text.count], limit: limit)
        }
    }

    private static func offsets(of wanted: [UInt8], in text: UnsafeRawBufferPointer, limit: Int) -> [Int] {
        var offsets: [Int] = []
        var start = 0
        while offsets.count < limit,
            let found = text[from: start].firstOffset(of: wanted)
        {
            offsets.append(start + found)
            start += found + wanted.count
        }
        return offsets
    }
}

/// A test of an entry's JSON text that shows, without parsing it, that the entry cannot contain a text.
///
/// The texts of an entry can differ from its JSON: by escape sequences, also in JSON bodies, in Base64, in a body file,
/// and in forms. If the JSON has a mark of one of them, the entry may contain the text.
struct TextProbe: Sendable {
    /// The maximum size of a part, in bytes, which limits the time of a search.
    private static let maximumPartSize = 32

    /// The parts of the text that the JSON contains as well, ignoring case, unless a character is written as a Unicode
    /// escape sequence.
    private let parts: [[UInt8]]

    /// The ASCII characters whose Unicode escape sequences can hide a part.
    private let characters: Set<UInt8>

    /// The ASCII characters whose percent-encoding in a form can hide a part.
    private let formCharacters: Set<UInt8>

    /// Whether the text contains a space, which a plus sign represents in a form.
    private let hasSpace: Bool

    /// Whether a text with only ASCII characters cannot contain the text.
    let needsNonASCII: Bool

    /// The part of the text that the parameters of a form contain if their encoding contains the text; empty if the
    /// parameters may have no such part.
    private let formPart: [UInt8]

    /// Creates a probe, or returns nil if every entry has to be parsed.
    ///
    /// - Parameters:
    ///   - text: The text to search for.
    ///   - matchesCase: Whether the case of letters is significant.
    init?(_ text: String, matchesCase: Bool) {
        let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
        // If the case is ignored, some letters of a non-ASCII text have non-ASCII counterparts, such as `ss` and `ß`.
        parts = isASCII || matchesCase ? Self.parts(of: text) : []
        needsNonASCII = matchesCase ? !isASCII : text.unicodeScalars.contains { !Self.mayMatchASCII($0) }
        guard !parts.isEmpty || needsNonASCII else { return nil }
        // Control characters are significant in some charsets.
        formCharacters = Set(0..<0x20).union(text.utf8.flatMap { [$0, $0 ^ 0x20] }.filter { $0 < 0x80 })
        characters = formCharacters.union(Self.escapeCharacters)
        hasSpace = text.utf8.contains(0x20)
        formPart = text.utf8.contains { "=&%+".utf8.contains($0) } ? [] : Self.formPart(of: text)
    }

    /// The characters of escape sequences in bodies, which can be escaped again in the JSON of the entry.
    private static let escapeCharacters = Set("\\uU%+0123456789abcdefABCDEF".utf8)

    /// Returns the longest parts of a text that JSON and header fields leave unchanged, in lowercase.
    ///
    /// JSON escapes quotation marks, backslashes, control characters and sometimes slashes. A colon and a space join the
    /// name and the value of a header field, and an equals sign joins the parts of a cookie. JSON separates them.
    private static func parts(of text: String) -> [[UInt8]] {
        let runs = text.utf8.split { !(0x20..<0x7F ~= $0) || "\"\\/:=".utf8.contains($0) }
        let trimmed = runs.map { run in
            Array(run.drop { $0 == 0x20 }.reversed().drop { $0 == 0x20 }.reversed().prefix(maximumPartSize))
        }
        return Array(trimmed.filter { !$0.isEmpty }.map(lowercase).sorted { $0.count > $1.count }.prefix(3))
    }

    /// Returns the start of a text without hexadecimal digits that may belong to an encoded character.
    private static func formPart(of text: String) -> [UInt8] {
        let digits = text.utf8.prefix(2).prefix { $0.hexadecimalDigit != nil }.count
        return lowercase(text.utf8.dropFirst(digits).prefix(maximumPartSize))
    }

    private static func lowercase(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        bytes.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }

    /// Returns whether a character matches ASCII text if the case is ignored, such as `ß`, which matches `ss`.
    private static func mayMatchASCII(_ scalar: Unicode.Scalar) -> Bool {
        var folded = String(scalar)
        // `ẞ` takes two steps: `ß` and `ss`.
        for _ in 0..<2 { folded = folded.uppercased().lowercased() }
        return folded.utf8.allSatisfy { $0 < 0x80 }
    }

    /// Returns whether the JSON text of an entry may contain the text.
    ///
    /// - Parameters:
    ///   - json: The JSON text of the entry.
    ///   - isBinary: Whether the response body is binary, so that its Base64 text is not searched.
    /// - Returns: `false` if no decoded text of the entry contains the text. The percent-decoded URL is not tested.
    /// - Complexity: O(*n*) in the length of the JSON text.
    func mayMatch(_ json: UnsafeRawBufferPointer, isBinary: () -> Bool) -> Bool {
        parts.allSatisfy(json.contains) && (!needsNonASCII || Self.hasNonASCII(json)) || json.contains(Mark.bodyFile)
            || hasEscape(in: json) || Self.hasEncoding(json, isBinary) || mayBeInForm(json)
    }

    /// Parts of an entry's JSON, in lowercase.
    private enum Mark {
        static let bodyFile = Array(#""_file""#.utf8)
        static let base64 = Array("base64".utf8)
        static let text = Array(#""text""#.utf8)
        static let requestBody = Array(#""postdata""#.utf8)
        static let parameters = Array(#""params""#.utf8)
        static let multipart = Array("multipart".utf8)
        static let charset = Array("charset".utf8)
        static let percent = Array("%".utf8)
        static let plus = Array("+".utf8)
        static let encodedForm = Array("form-urlencoded".utf8)
        static let isUTF8 = Array("=utf-8".utf8)
        static let escape = Array(#"\u"#.utf8)
        static let escapeOfByte = Array(#"\u00"#.utf8)
    }

    private static func hasEncoding(_ json: UnsafeRawBufferPointer, _ isBinary: () -> Bool) -> Bool {
        // The Base64 text of an entry without a request body is the response body.
        mayHaveBase64(json) && (json.contains(Mark.requestBody) || !isBinary())
    }

    /// Returns whether the text of a body may be Base64 or a `data:` URL, which need not be marked as such.
    private static func mayHaveBase64(_ json: UnsafeRawBufferPointer) -> Bool {
        json.containsAny(Mark.text) { offset in
            let rest = json[from: offset + Mark.text.count, to: min(offset + 96, json.count)]
            let value = rest.drop { $0 != UInt8(ascii: "\"") }.dropFirst()
            if value.starts(with: "data:".utf8) { return true }
            return mayBeginBase64(value.prefix(64), with: base64Characters)
                // Only text that is marked as Base64 can contain spaces.
                || mayBeginBase64(value.prefix(64), with: base64Characters.union(" ")) && json.contains(Mark.base64)
        }
    }

    /// Returns whether the beginning of a JSON string can be Base64, in which slashes and line breaks can be escaped.
    private static func mayBeginBase64(_ string: Slice<UnsafeRawBufferPointer>, with characters: ByteSet) -> Bool {
        var isEscaped = false
        for (index, byte) in string.enumerated() {
            if isEscaped {
                guard "/nrtu".utf8.contains(byte) else { return false }
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                return index > 0
            } else {
                isEscaped = byte == UInt8(ascii: "\\")
                guard isEscaped || characters.contains(byte) else { return false }
            }
        }
        return true
    }

    private static let base64Characters = ByteSet.alphanumerics.union("+/-_=")

    private func mayBeInForm(_ json: UnsafeRawBufferPointer) -> Bool {
        if json.contains(Mark.encodedForm), hasPercentEncoding(in: json) { return true }
        return json.contains(Mark.requestBody) && json.contains(Mark.parameters)
            && (formPart.isEmpty || json.contains(formPart) || json.contains(Mark.multipart))
    }

    /// Returns whether percent-encoding can hide a part.
    private func hasPercentEncoding(in json: UnsafeRawBufferPointer) -> Bool {
        if hasSpace, json.contains(Mark.plus) { return true }
        return json.containsAny(Mark.percent) { offset in
            var decoder = PercentDecoder(json[from: offset, to: min(offset + 3, json.count)])
            guard let byte = decoder.next(), decoder.offset == 3 else { return false }
            return byte < 0x80 ? formCharacters.contains(byte) : needsNonASCII
        }
    }

    /// Returns whether a Unicode escape sequence can hide a part.
    ///
    /// A sequence whose backslash is escaped can be an escape sequence in a JSON body.
    private func hasEscape(in json: UnsafeRawBufferPointer) -> Bool {
        json.containsAny(Mark.escapeOfByte) { json.escapedUnit(at: $0).map(isSignificant) ?? true }
    }

    private func isSignificant(_ unit: Int) -> Bool { UInt8(exactly: unit).map(characters.contains) ?? false }

    /// Returns whether a decoded text of the entry may contain non-ASCII characters.
    private static func hasNonASCII(_ json: UnsafeRawBufferPointer) -> Bool {
        // Some charsets encode other characters as ASCII characters, but UTF-8 does not.
        !json.isASCII
            || json.containsAny(Mark.escape) { (json.escapedUnit(at: $0) ?? 0) >= 0x80 }
            || json.containsAny(Mark.charset) { offset in
                let value = json[(offset + Mark.charset.count)...].prefix(Mark.isUTF8.count)
                return !lowercase(value).elementsEqual(Mark.isUTF8)
            }
    }
}

extension UnsafeRawBufferPointer {
    /// Returns whether the text contains a part in lowercase, ignoring case.
    fileprivate func contains(_ part: [UInt8]) -> Bool { firstOffset(ofLowercase: part) != nil }

    /// Returns whether a condition is met at any offset of a part in lowercase.
    fileprivate func containsAny(_ part: [UInt8], where condition: (_ offset: Int) -> Bool) -> Bool {
        var start = 0
        while let found = self[from: start].firstOffset(ofLowercase: part) {
            if condition(start + found) { return true }
            start += found + part.count
        }
        return false
    }
}
