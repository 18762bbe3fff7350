import HTTPArchive

/// The parts of the method and the URL that a request and an entry must have in common.
///
/// Equal parts produce equal keys, so a lookup visits only matching entries.
struct KeyRule: Hashable, Sendable {
    /// Parts of a request's method and normalized URL.
    struct Parts: OptionSet, Hashable, Sendable {
        let rawValue: UInt8

        static let method = Parts(rawValue: 1)
        static let scheme = Parts(rawValue: 2)
        static let host = Parts(rawValue: 4)
        static let port = Parts(rawValue: 8)
        static let path = Parts(rawValue: 16)

        /// The nonempty segments of the path, compared case-insensitively.
        static let foldedPath = Parts(rawValue: 32)
        static let origin: Parts = [.scheme, .host, .port]
    }

    /// The comparison of queries.
    enum Query: Hashable, Sendable {
        /// Queries are not compared.
        case ignored

        /// Items are compared in any order, ignoring those with certain names.
        case items(ignoring: Set<String>)

        /// Items are compared in order.
        case ordered
    }

    var parts: Parts = []
    var query = Query.ignored

    /// The method and the URL, with query items in any order.
    static let methodAndURL = KeyRule(parts: [.method, .origin, .path], query: .items(ignoring: []))

    /// Returns a rule that compares the parts of both rules.
    func union(_ other: KeyRule) -> KeyRule {
        KeyRule(parts: parts.union(other.parts), query: query.and(other.query))
    }
}

extension KeyRule.Query {
    /// Returns a comparison that includes the items of both comparisons.
    fileprivate func and(_ other: Self) -> Self {
        switch (self, other) {
        case (.ordered, _), (_, .ordered): .ordered
        case (.ignored, let query), (let query, .ignored): query
        case (.items(let first), .items(let second)): .items(ignoring: first.intersection(second))
        }
    }
}

extension KeyRule {
    /// Returns the differences in the compared parts.
    func differences(requested: ComparedRequest, recorded: ComparedRequest) -> [MatchDifference] {
        let texts: [(name: String, part: Parts, text: (ComparedRequest) -> String)] = [
            ("method", .method, { $0.request.method.uppercased() }),
            ("scheme", .scheme, { String($0.url.scheme) }),
            ("host", .host, { String($0.url.host) }),
            ("port", .port, { String($0.url.port) }),
            ("path", .path, { $0.url.path }),
            ("path", .foldedPath, { $0.url.foldedPath }),
        ]
        // If the folded paths differ, so do the exact paths. Report the difference only once.
        let parts = parts.contains(.path) ? parts.subtracting(.foldedPath) : parts
        let differences = texts.compactMap { name, part, text -> MatchDifference? in
            guard parts.contains(part), text(requested) != text(recorded) else { return nil }
            let isPath = name == "path"
            let texts = [recorded, requested].map { isPath ? requested.messages.url(text($0)) : text($0) }
            return MatchDifference(name, recorded: texts[0], requested: texts[1])
        }
        return differences
            + query.differences(requested: requested.url, recorded: recorded.url, requested.messages)
    }
}

extension KeyRule.Query {
    /// Returns the differences between two queries.
    func differences(
        requested: NormalizedURL, recorded: NormalizedURL, _ messages: MessageRedaction
    ) -> [MatchDifference] {
        switch self {
        case .ignored: return []
        case .items(let names):
            return Self.differences(
                requested: requested.queryItems(ignoring: names), recorded: recorded.queryItems(ignoring: names),
                messages)
        case .ordered:
            let items = (requested.queryItems, recorded.queryItems)
            let differences = Self.differences(requested: items.0, recorded: items.1, messages)
            guard differences.isEmpty, items.0 != items.1 else { return differences }
            let texts = [items.1, items.0].map { $0.map(messages.item).joined(separator: "&") }
            return [MatchDifference("query", recorded: texts[0], requested: texts[1])]
        }
    }

    private static func differences(
        requested: [Substring], recorded: [Substring], _ messages: MessageRedaction
    ) -> [MatchDifference] {
        paired(items(recorded, without: requested), items(requested, without: recorded), messages)
    }

    /// Returns the items that remain if each of the other items removes the first item that is equal to it.
    private static func items(_ items: [Substring], without others: [Substring]) -> [Substring] {
        var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return items.filter { item in
            guard let count = counts[item], count > 0 else { return true }
            counts[item] = count - 1
            return false
        }
    }

    /// Returns the first differences, pairing recorded and requested items of the same name.
    private static func paired(
        _ recorded: [Substring], _ requested: [Substring], _ messages: MessageRedaction
    ) -> [MatchDifference] {
        var rest = Dictionary(grouping: requested, by: FormEncoding.name).mapValues { $0[...] }
        var differences = recorded.prefix(MatchDifference.limit).map { item in
            let name = FormEncoding.name(of: item)
            let other = rest[name]?.popFirst()
            return MatchDifference(
                "query", recorded: messages.item(item), requested: other.map(messages.item), item: name)
        }
        for item in requested where differences.count < MatchDifference.limit {
            let name = FormEncoding.name(of: item)
            guard let first = rest[name]?.popFirst() else { continue }
            differences.append(MatchDifference("query", requested: messages.item(first), item: name))
        }
        return differences
    }
}

extension NormalizedURL {
    /// The scheme, or, for a WebSocket URL, the scheme of the request that opens the connection; empty if the URL has no authority.
    var scheme: Substring { LiteralURL(requestOrigin).scheme ?? "" }

    /// The host without the port, including the brackets of an IPv6 address; empty if the URL has no host.
    var host: Substring { LiteralURL(origin).host }

    /// The port, or the default port of the scheme if the URL has none; empty if the scheme has no default port.
    var port: Substring {
        let url = LiteralURL(origin)
        return url.port ?? url.defaultPort.map { Substring(String($0)) } ?? ""
    }

    /// Returns the given parts of the origin.
    func origin(of parts: KeyRule.Parts) -> String {
        if parts.isSuperset(of: .origin) { return requestOrigin }
        guard !parts.isDisjoint(with: .origin) else { return "" }
        let scheme = parts.contains(.scheme) ? scheme : ""
        let host = parts.contains(.host) ? host : ""
        let port = parts.contains(.port) ? port : ""
        return "\(scheme)://\(host):\(port)"
    }

    /// The path in lowercase, without empty segments, and with only slashes percent-encoded.
    var foldedPath: String {
        let segments = path.utf8.split(separator: UInt8(ascii: "/")).map { segment in
            PercentEncoding.decoded(segment).replacing("/", with: "%2F").lowercased()
        }
        return "/" + segments.joined(separator: "/")
    }

    /// Returns the query items in order, except those with the given names.
    ///
    /// - Parameter names: The names to ignore, without percent-encoding.
    /// - Returns: The items as written in the URL.
    func queryItems(ignoring names: Set<String>) -> [Substring] {
        names.isEmpty ? queryItems : queryItems.filter { !names.contains(FormEncoding.name(of: $0)) }
    }
}
