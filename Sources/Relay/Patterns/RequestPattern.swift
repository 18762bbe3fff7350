/// Says which requests a rule is for.
///
/// A string literal is a pattern of URLs, as ``url(_:)`` makes it: `"api.example.com/items/*"`. Patterns of other kinds
/// are made by the static functions, and combined by ``and(_:)``, ``or(_:)`` and ``not(_:)``.
public struct RequestPattern: Sendable {
    private enum Kind {
        case condition(String, @Sendable (InterceptedRequest) -> Bool)
        case all([RequestPattern])
        case either([RequestPattern])
    }

    private let kind: Kind

    /// Whether asking it may take long: it is code of others, or a regular expression.
    let mayTakeLong: Bool

    private init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .condition: mayTakeLong = false
        case .all(let patterns), .either(let patterns): mayTakeLong = patterns.contains(where: \.mayTakeLong)
        }
    }

    /// Creates a pattern of one condition.
    ///
    /// - Parameters:
    ///   - description: What the pattern is, for messages.
    ///   - mayTakeLong: Whether asking it may take long.
    ///   - fits: Whether a request fits.
    init(
        _ description: String, mayTakeLong: Bool = false, fits: @escaping @Sendable (InterceptedRequest) -> Bool
    ) {
        kind = .condition(description, fits)
        self.mayTakeLong = mayTakeLong
    }

    /// Whether a request fits this pattern.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether it fits.
    public func matches(_ request: InterceptedRequest) -> Bool {
        switch kind {
        case .condition(_, let fits): fits(request)
        case .all(let patterns): patterns.allSatisfy { $0.matches(request) }
        case .either(let patterns): patterns.contains { $0.matches(request) }
        }
    }

    /// The requests that fit this pattern and another one.
    ///
    /// - Parameter other: The other pattern, which is asked only if this one fits.
    /// - Returns: The pattern of both.
    public func and(_ other: RequestPattern) -> RequestPattern {
        if case .all(let patterns) = kind { return Self(.all(patterns + [other])) }
        return Self(.all([self, other]))
    }

    /// The requests that fit this pattern or another one.
    ///
    /// - Parameter other: The other pattern, which is asked only if this one does not fit.
    /// - Returns: The pattern of either.
    public func or(_ other: RequestPattern) -> RequestPattern {
        if case .either(let patterns) = kind { return Self(.either(patterns + [other])) }
        return Self(.either([self, other]))
    }

    /// The requests that do not fit a pattern.
    ///
    /// - Parameter pattern: The pattern.
    /// - Returns: The pattern of all others.
    public static func not(_ pattern: RequestPattern) -> RequestPattern {
        Self("not \(pattern.operand)", mayTakeLong: pattern.mayTakeLong) { !pattern.matches($0) }
    }
}

extension RequestPattern: ExpressibleByStringLiteral {
    /// Creates a pattern of URLs, as ``url(_:)`` does.
    public init(stringLiteral pattern: String) {
        self = .url(pattern)
    }
}

extension RequestPattern: CustomStringConvertible {
    /// What the pattern is, such as `GET api.example.com/items/*`.
    public var description: String {
        switch kind {
        case .condition(let text, _): text
        case .all(let patterns): patterns.map(\.operand).joined(separator: " and ")
        case .either(let patterns): patterns.map(\.operand).joined(separator: " or ")
        }
    }

    /// The description as a part of another one.
    private var operand: String {
        if case .condition(let text, _) = kind { text } else { "(\(description))" }
    }
}
