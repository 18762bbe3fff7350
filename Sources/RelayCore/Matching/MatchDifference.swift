/// The result of comparing a request with a recorded request: a match, or the differences.
public struct MatchVerdict: Hashable, Sendable {
    /// Whether the requests match.
    public let isMatch: Bool

    /// The human-readable differences; empty if the requests match.
    public let differences: [MatchDifference]

    /// The requests match.
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
    ///   - part: The compared part, in one word.
    ///   - recorded: The recorded value, or `nil` (the default). It appears in messages and must not contain secrets.
    ///   - asked: The requested value, or `nil` (the default). It appears in messages and must not contain secrets.
    /// - Returns: The verdict.
    public static func mismatch(_ part: String, recorded: String? = nil, asked: String? = nil) -> MatchVerdict {
        mismatch([MatchDifference(part, recorded: recorded, asked: asked)])
    }

    /// Creates a verdict from the complete list of differences.
    init(differences: [MatchDifference]) {
        self.init(isMatch: differences.isEmpty, differences: differences)
    }

    private init(isMatch: Bool, differences: [MatchDifference]) {
        self.isMatch = isMatch
        self.differences = differences
    }

    /// Returns the combined verdict of two matchers, which is a match only if both are.
    func and(_ other: MatchVerdict) -> MatchVerdict {
        MatchVerdict(isMatch: isMatch && other.isMatch, differences: differences + other.differences)
    }
}

/// A difference between a request and a recorded request.
///
/// The texts are safe to print. They contain names, JSON pointers, sizes, and values of query items that are not
/// secret, but never values of header fields or forms or contents of bodies. If both texts are equal, they name an item
/// that both requests have with different values.
public struct MatchDifference: Hashable, Sendable {
    /// The compared part, such as `query` or `header`.
    public let part: String

    /// The value in the recorded request, or `nil` if it has none.
    public let recorded: String?

    /// The value in the request, or `nil` if it has none.
    public let asked: String?

    /// Creates a difference and replaces unprintable characters.
    ///
    /// - Parameters:
    ///   - part: The compared part, in one word.
    ///   - recorded: The value in the recorded request, or `nil` (the default) if it has none.
    ///   - asked: The value in the request, or `nil` (the default) if it has none.
    public init(_ part: String, recorded: String? = nil, asked: String? = nil) {
        self.part = MessageText.printable(part)
        self.recorded = recorded.map(MessageText.printable)
        self.asked = asked.map(MessageText.printable)
    }

    /// Creates a difference for an item that both requests have with different values.
    init(_ part: String, inBoth name: String) {
        self.init(part, recorded: name, asked: name)
    }
}

extension MatchDifference {
    /// Returns the differences between two collections of named values, regardless of order.
    ///
    /// - Parameters:
    ///   - part: The compared part.
    ///   - recorded: The recorded values of each name, in comparable form.
    ///   - asked: The requested values of each name, in comparable form.
    ///   - label: Returns the label of a name in messages.
    /// - Returns: The differences, sorted by name.
    static func ofNamedValues<Value: Equatable>(
        _ part: String, recorded: [String: Value], asked: [String: Value], label: (String) -> String = { $0 }
    ) -> [MatchDifference] {
        Set(recorded.keys).union(asked.keys).sorted().compactMap { name in
            guard recorded[name] != asked[name] else { return nil }
            return MatchDifference(
                part, recorded: recorded[name].map { _ in label(name) }, asked: asked[name].map { _ in label(name) })
        }
    }
}

extension [MatchDifference] {
    /// The maximum number of listed differences.
    private static let limit = 6

    /// The lines of a message that explains why an entry does not match.
    var lines: [String] {
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
    /// Returns a line for the recorded value, followed by a line for the requested value.
    fileprivate func lines(isPartNamed: Bool) -> [String] {
        let part = isPartNamed ? "" : MessageText.line(part, width: 12)
        var margin = "    " + part + String(repeating: " ", count: max(9 - part.count, 1))
        var signs = [("-", recorded), ("+", asked)]
        if recorded == asked { signs = [("~", recorded ?? "")] }
        return signs.compactMap { sign, text in
            guard let text else { return nil }
            let start = margin + sign + " "
            margin = String(repeating: " ", count: margin.count)
            return start + MessageText.line(text, width: MessageText.width - start.count)
        }
    }
}
