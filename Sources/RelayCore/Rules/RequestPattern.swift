/// Says which requests a rule is for.
///
/// A string literal is a pattern of URLs, as ``url(_:)`` makes it: `"api.example.com/items/*"`. Patterns of other kinds
/// are made by the static functions, and combined by ``and(_:)``, ``or(_:)`` and ``not(_:)``.
public struct RequestPattern: Sendable {
    private enum Kind {
        case condition(Condition)
        case all([RequestPattern])
        case either([RequestPattern])
    }

    private struct Condition {
        let description: String
        let fits: @Sendable (InterceptedRequest) -> Bool
        let namesHost: HostTest?
    }

    /// Whether a pattern names a host, given with the URL that it is from.
    typealias HostTest = @Sendable (_ host: RequestHost, _ url: String) -> Bool

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
    ///   - namesHost: Whether the pattern names a host, or nil (the default) for a pattern that names none.
    ///   - fits: Whether a request fits.
    init(
        _ description: String, mayTakeLong: Bool = false, namesHost: HostTest? = nil,
        fits: @escaping @Sendable (InterceptedRequest) -> Bool
    ) {
        kind = .condition(Condition(description: description, fits: fits, namesHost: namesHost))
        self.mayTakeLong = mayTakeLong
    }

    /// Whether a request fits this pattern.
    ///
    /// - Parameter request: The request.
    /// - Returns: Whether it fits.
    public func matches(_ request: InterceptedRequest) -> Bool {
        switch kind {
        case .condition(let condition): condition.fits(request)
        case .all(let patterns): patterns.allSatisfy { $0.matches(request) }
        case .either(let patterns): patterns.contains { $0.matches(request) }
        }
    }

    /// Whether the pattern names a host, whatever else it asks for.
    ///
    /// Catch-all patterns name no host: `**`, `any`, `not(_:)`, and patterns of methods, paths, or code.
    ///
    /// - Parameters:
    ///   - host: The host of a request.
    ///   - url: The URL of the request.
    /// - Returns: Whether a request to this host may be meant by the pattern.
    func names(_ host: RequestHost, of url: String) -> Bool {
        switch kind {
        case .condition(let condition): condition.namesHost?(host, url) ?? false
        case .all(let patterns), .either(let patterns): patterns.contains { $0.names(host, of: url) }
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
        case .condition(let condition): condition.description
        case .all(let patterns): patterns.map(\.operand).joined(separator: " and ")
        case .either(let patterns): patterns.map(\.operand).joined(separator: " or ")
        }
    }

    /// The description as a part of another one.
    private var operand: String {
        if case .condition(let condition) = kind { condition.description } else { "(\(description))" }
    }
}

extension RequestPattern {
    /// Every request.
    public static let any = Self("every request") { _ in true }

    /// The requests that code chooses.
    ///
    /// - Parameter fits: Whether a request fits. It may be called on any thread, several times for one request.
    /// - Returns: The pattern.
    public static func `where`(_ fits: @escaping @Sendable (_ request: InterceptedRequest) -> Bool) -> RequestPattern {
        Self("requests that code chooses", mayTakeLong: true, fits: fits)
    }

    /// The requests of a method.
    ///
    /// - Parameter name: The method, such as `GET`, in any case.
    /// - Returns: The pattern.
    public static func method(_ name: String) -> RequestPattern {
        let name = name.uppercased()
        return Self(name) { $0.method == name || $0.method.uppercased() == name }
    }

    /// The requests of method GET whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func get(_ pattern: String) -> RequestPattern { method("GET", pattern) }

    /// The requests of method POST whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func post(_ pattern: String) -> RequestPattern { method("POST", pattern) }

    /// The requests of method PUT whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func put(_ pattern: String) -> RequestPattern { method("PUT", pattern) }

    /// The requests of method PATCH whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func patch(_ pattern: String) -> RequestPattern { method("PATCH", pattern) }

    /// The requests of method DELETE whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func delete(_ pattern: String) -> RequestPattern { method("DELETE", pattern) }

    /// The requests of method HEAD whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func head(_ pattern: String) -> RequestPattern { method("HEAD", pattern) }

    /// The requests of method OPTIONS whose URL fits a pattern.
    ///
    /// - Parameter pattern: A pattern as for ``url(_:)``.
    /// - Returns: The pattern of both.
    public static func options(_ pattern: String) -> RequestPattern { method("OPTIONS", pattern) }

    private static func method(_ name: String, _ pattern: String) -> RequestPattern {
        let (method, url) = (method(name), url(pattern))
        return Self("\(name) \(pattern)", namesHost: { url.names($0, of: $1) }) {
            method.matches($0) && url.matches($0)
        }
    }
}
