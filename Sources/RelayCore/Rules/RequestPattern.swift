import HTTPArchive

/// A pattern that selects the requests that a rule applies to.
///
/// A string literal such as `"api.example.com/items/*"` is a URL pattern; see ``url(_:)``. Static functions create
/// other patterns. Combine patterns with ``and(_:)``, ``or(_:)`` and ``not(_:)``.
public struct RequestPattern: Sendable {
    private enum Kind {
        case condition(Condition)
        case expression(URLExpression)
        indirect case negation(RequestPattern)
        case all([RequestPattern])
        case either([RequestPattern])
    }

    private struct Condition {
        let description: String
        let fits: @Sendable (InterceptedRequest) throws -> Bool
        let namesHost: HostTest?
        let difference: Comparison?
    }

    /// A closure that returns whether a pattern names the host of a request.
    package typealias HostTest = @Sendable (_ host: RequestHost, _ url: String) -> Bool

    /// A comparison with a request that does not match.
    ///
    /// It returns nil if the request is not similar.
    typealias Comparison = @Sendable (InterceptedRequest) -> RuleDifference?

    private let kind: Kind

    /// Whether matching can take a long time because the pattern contains user code or a regular expression.
    package let mayTakeLong: Bool

    private init(_ kind: Kind) {
        self.kind = kind
        switch kind {
        case .condition: mayTakeLong = false
        case .expression: mayTakeLong = true
        case .negation(let pattern): mayTakeLong = pattern.mayTakeLong
        case .all(let patterns), .either(let patterns): mayTakeLong = patterns.contains(where: \.mayTakeLong)
        }
    }

    /// Creates a pattern with one condition.
    ///
    /// - Parameters:
    ///   - description: The description of the pattern in messages.
    ///   - mayTakeLong: Whether matching can take a long time; `false` by default.
    ///   - namesHost: A closure that returns whether the pattern names a host; nil by default, for a pattern that names
    ///     no host.
    ///   - fits: A closure that returns whether a request matches, or throws if that takes too much work.
    package init(
        _ description: String, mayTakeLong: Bool = false, namesHost: HostTest? = nil,
        fits: @escaping @Sendable (InterceptedRequest) throws -> Bool
    ) {
        self.init(description, mayTakeLong: mayTakeLong, namesHost: namesHost, difference: nil, fits: fits)
    }

    /// Creates a pattern with one condition that can be compared with requests that do not match.
    init(
        _ description: String, mayTakeLong: Bool = false, namesHost: HostTest?, difference: Comparison?,
        fits: @escaping @Sendable (InterceptedRequest) throws -> Bool
    ) {
        kind = .condition(
            Condition(description: description, fits: fits, namesHost: namesHost, difference: difference))
        self.mayTakeLong = mayTakeLong
    }

    /// Creates a pattern for URLs that contain a match of a regular expression.
    init(_ expression: URLExpression) { self.init(.expression(expression)) }

    /// Returns whether a request matches this pattern.
    ///
    /// - Parameter request: The request.
    /// - Returns: `true` if it matches; `false` if a regular expression takes too much work. Rules and
    ///   ``RecordingFilter/keep(_:)`` report an error in that case.
    public func matches(_ request: InterceptedRequest) -> Bool { (try? isMatch(request)) ?? false }

    /// Returns whether a request matches this pattern.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The processor time for each regular expression, in nanoseconds.
    /// - Returns: Whether it matches; `false` if a regular expression takes too much work without this limit.
    /// - Throws: `limitExceeded` if a search must be repeated with a higher limit.
    package func matches(_ request: InterceptedRequest, within limit: UInt64) throws -> Bool {
        limit == .max ? matches(request) : try isMatch(request, within: limit)
    }

    /// Returns whether a request matches this pattern.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The processor time for each regular expression, in nanoseconds; by default, only the work is limited.
    /// - Returns: Whether it matches.
    /// - Throws: `limitExceeded` if a regular expression takes too much work.
    func isMatch(_ request: InterceptedRequest, within limit: UInt64 = .max) throws -> Bool {
        switch kind {
        case .condition(let condition): try condition.fits(request)
        case .expression(let expression): try expression.isFound(in: request.url, within: limit)
        case .negation(let pattern): try !pattern.isMatch(request, within: limit)
        case .all(let patterns): try patterns.allSatisfy { try $0.isMatch(request, within: limit) }
        case .either(let patterns): try patterns.contains { try $0.isMatch(request, within: limit) }
        }
    }

    /// Returns whether the pattern names a host, regardless of other conditions.
    ///
    /// Catch-all patterns do not name a host: `**`, `any`, `not(_:)`, and patterns for methods, paths, or closures.
    ///
    /// - Parameters:
    ///   - host: The host of a request.
    ///   - url: The URL of the request.
    ///   - limit: The processor time for each regular expression, in nanoseconds; by default, only the work is limited.
    /// - Returns: `true` if the pattern could be intended for requests to this host.
    /// - Throws: `limitExceeded` if a regular expression takes too much work.
    package func names(_ host: RequestHost, of url: String, within limit: UInt64 = .max) throws -> Bool {
        switch kind {
        case .condition(let condition): condition.namesHost?(host, url) ?? false
        case .expression(let expression): try expression.dependsOnHost(of: url, within: limit)
        case .negation: false
        case .all(let patterns), .either(let patterns):
            try patterns.contains { try $0.names(host, of: url, within: limit) }
        }
    }

    /// Compares the pattern with a request that does not match.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limit: The processor time for each regular expression, in nanoseconds.
    /// - Returns: The difference, or nil if the request is not similar to the requests that match.
    /// - Throws: `limitExceeded` if a search must be repeated with a higher limit.
    func difference(from request: InterceptedRequest, within limit: UInt64) throws -> RuleDifference? {
        switch kind {
        case .condition(let condition):
            return condition.difference?(request)
        case .expression, .negation:
            return nil
        case .all(let patterns):
            let others = try patterns.filter { try !$0.matches(request, within: limit) }
            return others.count == 1 ? try others.first?.difference(from: request, within: limit) : nil
        case .either(let patterns):
            return try patterns.compactMap { try $0.difference(from: request, within: limit) }
                .min { $0.cost < $1.cost }
        }
    }

    /// Returns a pattern for requests that match both this pattern and another one.
    ///
    /// - Parameter other: The other pattern, evaluated only if this one matches.
    /// - Returns: The combined pattern.
    public func and(_ other: RequestPattern) -> RequestPattern {
        if case .all(let patterns) = kind { return Self(.all(patterns + [other])) }
        return Self(.all([self, other]))
    }

    /// Returns a pattern for requests that match this pattern or another one.
    ///
    /// - Parameter other: The other pattern, evaluated only if this one does not match.
    /// - Returns: The combined pattern.
    public func or(_ other: RequestPattern) -> RequestPattern {
        if case .either(let patterns) = kind { return Self(.either(patterns + [other])) }
        return Self(.either([self, other]))
    }

    /// Returns a pattern for requests that do not match another pattern.
    ///
    /// - Parameter pattern: The pattern to negate.
    /// - Returns: The negated pattern.
    public static func not(_ pattern: RequestPattern) -> RequestPattern { Self(.negation(pattern)) }
}

extension RequestPattern: ExpressibleByStringLiteral {
    /// Creates a URL pattern; see ``url(_:)``.
    public init(stringLiteral pattern: String) {
        self = .url(pattern)
    }
}

extension RequestPattern: CustomStringConvertible {
    /// A description of the pattern, such as `GET api.example.com/items/*`.
    public var description: String {
        switch kind {
        case .condition(let condition): condition.description
        case .expression(let expression): "URLs matching \(MessageText.text(expression.text))"
        case .negation(let pattern): "not \(pattern.operand)"
        case .all(let patterns): patterns.map(\.operand).joined(separator: " and ")
        case .either(let patterns): patterns.map(\.operand).joined(separator: " or ")
        }
    }

    /// The description for use in a larger description, in parentheses if necessary.
    private var operand: String {
        switch kind {
        case .condition, .expression, .negation: description
        case .all, .either: "(\(description))"
        }
    }
}

extension RequestPattern {
    /// A pattern that matches every request.
    public static let any = Self("every request") { _ in true }

    /// Returns a pattern for requests that a closure accepts.
    ///
    /// - Parameter fits: A closure that returns whether a request matches. It can be called on any thread, and several
    ///   times per request.
    /// - Returns: The pattern.
    public static func `where`(_ fits: @escaping @Sendable (_ request: InterceptedRequest) -> Bool) -> RequestPattern {
        Self("requests chosen by a closure", mayTakeLong: true, fits: fits)
    }

    /// Returns a pattern for requests with a given method.
    ///
    /// - Parameter name: The case-insensitive method, such as `GET`.
    /// - Returns: The pattern.
    public static func method(_ name: String) -> RequestPattern {
        let name = name.uppercased()
        return Self(name) { $0.method == name || $0.method.uppercased() == name }
    }

    /// Returns a pattern for GET requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func get(_ pattern: String) -> RequestPattern { method("GET", pattern) }

    /// Returns a pattern for POST requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func post(_ pattern: String) -> RequestPattern { method("POST", pattern) }

    /// Returns a pattern for PUT requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func put(_ pattern: String) -> RequestPattern { method("PUT", pattern) }

    /// Returns a pattern for PATCH requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func patch(_ pattern: String) -> RequestPattern { method("PATCH", pattern) }

    /// Returns a pattern for DELETE requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func delete(_ pattern: String) -> RequestPattern { method("DELETE", pattern) }

    /// Returns a pattern for HEAD requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func head(_ pattern: String) -> RequestPattern { method("HEAD", pattern) }

    /// Returns a pattern for OPTIONS requests whose URL matches a pattern.
    ///
    /// - Parameter pattern: The URL pattern; see ``url(_:)``.
    /// - Returns: The combined pattern.
    public static func options(_ pattern: String) -> RequestPattern { method("OPTIONS", pattern) }

    private var condition: Condition? {
        if case .condition(let condition) = kind { condition } else { nil }
    }

    private static func method(_ name: String, _ pattern: String) -> RequestPattern {
        let (method, url) = (method(name), url(pattern))
        let comparison: Comparison = { request in
            if method.matches(request) { return url.condition?.difference?(request) }
            return url.matches(request) ? RuleDifference("The methods differ.") : nil
        }
        return Self("\(name) \(pattern)", namesHost: url.condition?.namesHost, difference: comparison) {
            method.matches($0) && url.matches($0)
        }
    }
}

extension RecordingFilter {
    /// Returns a filter that records only requests that match a pattern.
    ///
    /// - Parameter pattern: The requests to record.
    /// - Returns: The filter. If a regular expression of the pattern takes too much work, the report contains the error.
    public static func keep(_ pattern: RequestPattern) -> RecordingFilter {
        RecordingFilter("keep \(MessageText.text(pattern.description))") { try pattern.isMatch($0.request) }
    }
}

/// The reason why a rule does not match a request that is similar to its pattern.
struct RuleDifference: Sendable {
    /// The description of the difference, in complete sentences.
    let text: String

    /// The approximate number of changes that would make the pattern match, which is lowest for the most similar rules.
    let cost: Int

    init(_ text: String, cost: Int = 1) {
        self.text = text
        self.cost = cost
    }

    /// Compares a URL pattern with a URL.
    ///
    /// Returns nil if they are not similar.
    ///
    /// The result is nil if they are not similar.
    ///
    /// - Parameters:
    ///   - pattern: A pattern that does not match.
    ///   - text: The pattern as written.
    ///   - url: The URL.
    init?(of pattern: URLPattern, _ text: String, from url: String) {
        switch pattern.difference(from: url) {
        case .unexpectedQuery: self.init("The request has a query. To match any query, append `?*` to the pattern.")
        case .scheme: self.init("The schemes differ. To match any scheme, remove it from the pattern.")
        case .port: self.init("The ports differ. To match any port, remove it from the pattern.")
        case .trailingSlash: self.init("The path of the request ends with a slash.")
        case .missingSlash: self.init("The path of the request does not end with a slash.")
        case nil: self.init(comparing: LiteralURL(text), with: LiteralURL(url))
        }
    }

    /// Compares the hosts, paths and queries of a pattern and a URL.
    ///
    /// Returns nil if they are not similar.
    private init?(comparing pattern: LiteralURL, with url: LiteralURL) {
        let hosts = EditDistance.distance(pattern.normalizedHost, url.normalizedHost)
        let paths = EditDistance.distance(pattern.path, url.path)
        let hasHost = !pattern.host.isEmpty
        if hasHost, hosts == 0, paths == 0 {
            self.init("The queries differ.", cost: 2)
        } else if hasHost, hosts == 0, Self.isSimilar(paths, pattern.path) {
            self.init("The paths differ.", cost: 1 + paths)
        } else if hasHost, paths == 0, !pattern.path.isEmpty || Self.isSimilar(hosts, pattern.host) {
            self.init("The hosts differ.", cost: 1 + hosts)
        } else {
            return nil
        }
    }

    /// Returns whether a text that differs in a number of letters is likely to be a variant or a misspelling.
    private static func isSimilar(_ distance: Int, _ text: Substring) -> Bool {
        distance * 3 <= max(text.utf8.count, 3)
    }
}
