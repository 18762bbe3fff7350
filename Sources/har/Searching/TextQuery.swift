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
    private let probe: TextProbe?

    /// Whether the case of letters is significant.
    private let matchesCase: Bool

    /// The maximum time for a search with a regular expression in one text; nil for a text, which takes linear time.
    private let timeLimit: Duration?

    /// Creates a query for a text.
    ///
    /// - Parameters:
    ///   - text: The text, which must not be empty.
    ///   - matchesCase: Whether the case of letters is significant; `false` by default.
    init(text: String, matchesCase: Bool = false) {
        self.matchesCase = matchesCase
        timeLimit = nil
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
    ///   - timeLimit: The maximum time for the search in one text; 10 seconds by default.
    /// - Throws: `ValidationError` if the expression is invalid.
    init(
        regularExpression expression: String, matchesCase: Bool = false, timeLimit: Duration = .seconds(10)
    ) throws {
        self.matchesCase = matchesCase
        self.timeLimit = timeLimit
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
            let range = NSRange(text.startIndex..., in: text)
            let end = timeLimit.map { ContinuousClock.now + $0 }
            var reportCount = 0
            var hasFailed = false
            expression.enumerateMatches(in: text, options: [.reportProgress, .reportCompletion], range: range) {
                match, flags, stop in
                if flags.contains(.internalError) { hasFailed = true }
                if flags.contains(.progress) {
                    // There is a report for each character at which a match may begin, and for every 10,000 steps.
                    reportCount += 1
                    if let end, reportCount.isMultiple(of: 64), ContinuousClock.now > end { hasFailed = true }
                }
                if let match, match.range.length > 0 {
                    // `Range(_:in:)` fails if the range begins or ends between a carriage return and a line feed.
                    let start = text.utf16.index(text.startIndex, offsetBy: match.range.location)
                    found.append(start..<text.utf16.index(start, offsetBy: match.range.length))
                }
                if hasFailed || found.count >= limit { stop.pointee = true }
            }
            if hasFailed {
                throw HARError(
                    .limitExceeded,
                    "the regular expression needs too much time or memory for a text of \(text.utf8.count.asBytes); use "
                        + "an expression with fewer repetitions")
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

    /// Returns whether the JSON text of an entry may contain a match, without parsing it.
    ///
    /// - Parameters:
    ///   - json: The text of the entry.
    ///   - isBinary: Whether the response body is binary, so that its Base64 text is not searched.
    /// - Returns: `false` if no decoded text of the entry contains a match. The percent-decoded URL is not checked.
    /// - Complexity: O(*n*) in the length of the text.
    func mayMatch(json: UnsafeRawBufferPointer, isBinary: () -> Bool) -> Bool {
        probe?.mayMatch(json, isBinary: isBinary) ?? true
    }
}
