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
