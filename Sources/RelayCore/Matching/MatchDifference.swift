/// The result of comparing a request with a recorded request: a match, or the differences.
public struct MatchVerdict: Hashable, Sendable {
    /// Whether the requests match.
    public let isMatch: Bool

    /// The human-readable differences; empty if the requests match.
    public let differences: [MatchDifference]

    /// A verdict for requests that match.
    public static let match = MatchVerdict(isMatch: true, differences: [])

    /// Returns a verdict for requests that do not match.
    ///
    /// - Parameter differences: The differences. They appear in messages and must not contain secrets.
    /// - Returns: The verdict.
    public static func mismatch(_ differences: [MatchDifference]) -> MatchVerdict {
        MatchVerdict(isMatch: false, differences: differences)
    }

    /// Returns a verdict for requests that differ in one part.
    ///
    /// - Parameters:
    ///   - part: The compared part, in a word or two.
    ///   - recorded: The recorded value, or `nil` (the default). It appears in messages and must not contain secrets.
    ///   - requested: The requested value, or `nil` (the default). It appears in messages and must not contain secrets.
    /// - Returns: The verdict.
    public static func mismatch(_ part: String, recorded: String? = nil, requested: String? = nil) -> MatchVerdict {
        mismatch([MatchDifference(part, recorded: recorded, requested: requested)])
    }

    /// Returns the combined verdict of two matchers, which is a match only if both verdicts are.
    func and(_ other: MatchVerdict) -> MatchVerdict {
        MatchVerdict(isMatch: isMatch && other.isMatch, differences: differences + other.differences)
    }
}

extension MatchVerdict {
    /// Creates a verdict from the complete list of differences.
    init(differences: [MatchDifference]) {
        self.init(isMatch: differences.isEmpty, differences: differences)
    }
}

/// A difference between a request and a recorded request.
///
/// In the differences found by built-in matchers, `•••` replaces secrets, so the texts are safe to print. If both texts
/// are equal, they are the name of an item whose values differ but are secret or too large to show.
public struct MatchDifference: Hashable, Sendable {
    /// The compared part, such as `query` or `header`.
    public let part: String

    /// The value in the recorded request, or `nil` if it has none.
    public let recorded: String?

    /// The value in the request, or `nil` if it has none.
    public let requested: String?

    /// The name of the header field, query item or form field that differs, or the JSON pointer of the value that
    /// differs; `nil` if the part differs as a whole.
    public let item: String?

    /// Creates a difference.
    ///
    /// Unprintable characters are replaced.
    ///
    /// - Parameters:
    ///   - part: The compared part, in a word or two.
    ///   - recorded: The value in the recorded request, or `nil` (the default) if it has none.
    ///   - requested: The value in the request, or `nil` (the default) if it has none.
    ///   - item: The name of the item that differs, or `nil` (the default) if the part differs as a whole.
    public init(_ part: String, recorded: String? = nil, requested: String? = nil, item: String? = nil) {
        self.part = MessageText.printable(part)
        self.recorded = recorded.map(MessageText.printable)
        self.requested = requested.map(MessageText.printable)
        self.item = item.map(MessageText.printable)
    }

    /// Creates a difference that shows the values of an item, or only its name if the shown values are equal.
    ///
    /// - Parameters:
    ///   - part: The compared part.
    ///   - name: The name of the item.
    ///   - recorded: The recorded value without secrets, or `nil` if the recorded request does not have the item.
    ///   - requested: The requested value without secrets, or `nil` if the request does not have the item.
    init(_ part: String, of name: String, recorded: String?, requested: String?) {
        let isHidden = recorded == requested
        let texts = [recorded, requested].map { value in
            value.map { $0.isEmpty || isHidden ? name : name + ": " + $0 }
        }
        self.init(part, recorded: texts[0], requested: texts[1], item: name)
    }
}

extension MatchDifference {
    /// The maximum number of differences to describe for one part of a request.
    static let limit = 20

    /// Returns the differences between two collections of named values, regardless of order.
    ///
    /// - Parameters:
    ///   - part: The compared part.
    ///   - recorded: The recorded values of each name, normalized for comparison.
    ///   - requested: The requested values of each name, normalized for comparison.
    ///   - text: A closure that returns a value of a name as text without secrets.
    /// - Returns: The first differences, sorted by name.
    static func ofNamedValues(
        _ part: String, recorded: [String: [String]], requested: [String: [String]],
        text: (_ name: String, _ value: String) -> String
    ) -> [MatchDifference] {
        let names = Set(recorded.keys).union(requested.keys).filter { recorded[$0] != requested[$0] }
        return names.sorted().prefix(limit).map { name in
            func shown(_ values: [String]?) -> String? {
                values?.prefix(limit).map { text(name, $0) }.joined(separator: ", ")
            }
            return MatchDifference(
                part, of: name, recorded: shown(recorded[name]), requested: shown(requested[name]))
        }
    }
}

extension [MatchDifference] {
    /// The maximum number of differences to list.
    private static let limit = 6

    /// The lines of a message that explains why an entry does not match.
    package var lines: [String] {
        var lines: [String] = []
        var part: String?
        for difference in prefix(Self.limit) {
            lines += difference.lines(isPartNamed: difference.part == part)
            part = difference.part
        }
        if count > Self.limit { lines.append("    … and \(count - Self.limit) more") }
        if isEmpty { lines.append("    does not match") }
        return lines
    }
}

extension MatchDifference {
    /// Returns a line for each value, or a single line if both values are equal.
    fileprivate func lines(isPartNamed: Bool) -> [String] {
        let part = isPartNamed ? "" : MessageText.line(part, width: 12)
        var margin = "    " + part + String(repeating: " ", count: max(9 - part.count, 1))
        var signs = [("-", recorded), ("+", requested)]
        if recorded == requested { signs = [("~", recorded ?? "")] }
        return signs.compactMap { sign, text in
            guard let text else { return nil }
            let start = margin + sign + " "
            margin = String(repeating: " ", count: margin.count)
            return start + MessageText.line(text, width: MessageText.width - start.count)
        }
    }
}
