import HTTPArchive

/// The servers that requests are sent to, by the origins in the archive.
package struct Destinations: Sendable {
    /// The base URLs, by the recorded origin.
    private var bases: [String: String] = [:]

    /// Creates destinations.
    ///
    /// - Parameters:
    ///   - arguments: The base URLs of servers, such as `https://staging.example.com`, or `ORIGIN=URL` for the server of
    ///     another recorded origin. A URL without an origin before it is the server of the first recorded origin, or of
    ///     the same origin if the archive contains it.
    ///   - isLive: Whether the first recorded origin is a destination itself.
    ///   - origins: The recorded origins, in the order of their first entries.
    /// - Throws: ``DestinationError`` for arguments that are not HTTP URLs, and for unknown origins.
    package init(_ arguments: [String], isLive: Bool, origins: [String]) throws(DestinationError) {
        if isLive, let first = origins.first { bases[first] = first }
        for argument in arguments {
            let url = NormalizedURL(argument)
            if url.isHTTP, !argument.contains("=http") {
                let base = Self.base(url)
                let key = origins.contains(url.origin) ? url.origin : origins.first ?? url.origin
                bases[key] = base
                continue
            }
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, NormalizedURL(parts[1]).isHTTP else {
                throw .notURL(argument)
            }
            let known = origins.filter { $0 == NormalizedURL(parts[0]).origin || $0.hasSuffix("://" + parts[0]) }
            guard !known.isEmpty else { throw .unknownOrigin(parts[0], known: origins) }
            for origin in known { bases[origin] = Self.base(NormalizedURL(parts[1])) }
        }
    }

    private static func base(_ url: NormalizedURL) -> String {
        url.origin + (url.path.hasSuffix("/") ? String(url.path.dropLast()) : url.path)
    }

    /// Returns the URL to which a request is sent, or nil if no server was named for its origin.
    ///
    /// - Parameter url: The recorded URL.
    /// - Returns: The URL without a fragment.
    package func url(for url: String) -> String? {
        let literal = LiteralURL(url)
        guard let base = bases[NormalizedURL(url).origin] else { return nil }
        return base + literal.path + literal.query
    }

    /// Returns the text of a header field, such as `Origin`, with the recorded origin replaced.
    func replacingOrigin(in value: String) -> String {
        guard let base = bases[NormalizedURL(value).origin] else { return value }
        let url = LiteralURL(value)
        return base + url.path + url.query
    }
}

/// An invalid argument for the destination of requests.
package enum DestinationError: Error {
    /// The text is not a URL.
    case notURL(String)

    /// The archive does not contain the origin.
    case unknownOrigin(String, known: [String])
}
