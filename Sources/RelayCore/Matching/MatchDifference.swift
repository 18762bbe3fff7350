/// Whether a recorded request matches one that was asked, and if not, why.
public struct MatchVerdict: Hashable, Sendable {
    /// Whether they match.
    public let isMatch: Bool

    /// What differs, for people to read; empty when they match.
    public let differences: [MatchDifference]

    /// The requests match.
    public static let match = MatchVerdict(isMatch: true, differences: [])

    /// The requests do not match.
    ///
    /// - Parameter differences: What differs. Messages show it: put no secrets into it.
    /// - Returns: The verdict.
    public static func mismatch(_ differences: [MatchDifference]) -> MatchVerdict {
        MatchVerdict(isMatch: false, differences: differences)
    }

    /// The requests do not match in one part.
    ///
    /// - Parameters:
    ///   - part: What was compared, in a word.
    ///   - recorded: What was recorded there, or `nil` (the default). Messages show it: put no secrets into it.
    ///   - asked: What was asked there, or `nil` (the default). Messages show it: put no secrets into it.
    /// - Returns: The verdict.
    public static func mismatch(_ part: String, recorded: String? = nil, asked: String? = nil) -> MatchVerdict {
        mismatch([MatchDifference(part, recorded: recorded, asked: asked)])
    }

    /// The verdict on differences that are all there are.
    init(differences: [MatchDifference]) {
        self.init(isMatch: differences.isEmpty, differences: differences)
    }

    private init(isMatch: Bool, differences: [MatchDifference]) {
        self.isMatch = isMatch
        self.differences = differences
    }

    /// The verdict of two matchers that both have to agree.
    func and(_ other: MatchVerdict) -> MatchVerdict {
        MatchVerdict(isMatch: isMatch && other.isMatch, differences: differences + other.differences)
    }
}

/// One thing in which a recorded request differs from one that was asked.
///
/// The texts are safe to print: names, places, sizes, and values of query items that are no secrets. Values of header
/// fields and forms and contents of bodies never stand in them. Where both texts are the same, they name something that
/// both requests have and whose values differ.
public struct MatchDifference: Hashable, Sendable {
    /// What was compared, such as `query` or `header`.
    public let part: String

    /// What the recorded request has there; `nil` when it has nothing.
    public let recorded: String?

    /// What the request that was asked has there; `nil` when it has nothing.
    public let asked: String?

    /// Creates a difference; characters that are not to be seen are replaced by signs.
    ///
    /// - Parameters:
    ///   - part: What was compared, in a word.
    ///   - recorded: What the recorded request has there; `nil` (the default) when it has nothing.
    ///   - asked: What the request that was asked has there; `nil` (the default) when it has nothing.
    public init(_ part: String, recorded: String? = nil, asked: String? = nil) {
        self.part = MessageText.printable(part)
        self.recorded = recorded.map(MessageText.printable)
        self.asked = asked.map(MessageText.printable)
    }

    /// Something that both requests have, with values that differ.
    init(_ part: String, inBoth name: String) {
        self.init(part, recorded: name, asked: name)
    }
}

extension MatchDifference {
    /// Differences of two collections of named values, whose order means nothing.
    ///
    /// - Parameters:
    ///   - part: What was compared.
    ///   - recorded: What was recorded: the values of each name, comparable as they are.
    ///   - asked: What was asked.
    ///   - label: What messages call a name.
    /// - Returns: A difference for each name, in the order of the names.
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
    /// How many differences are listed.
    private static let limit = 6

    /// The lines of a message: why an entry does not match.
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
    /// What was recorded, above what was asked.
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
