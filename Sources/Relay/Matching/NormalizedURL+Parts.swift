import HTTPArchive

extension NormalizedURL {
    /// The scheme; empty for a URL without an authority.
    var scheme: Substring { origin.prefix { $0 != ":" } }

    /// The host with its brackets, without a port; empty for a URL that has none.
    var host: Substring { authority[..<portStart] }

    /// The port, that of the scheme where the URL names none; empty when nothing says it.
    var port: Substring {
        if portStart < authority.endIndex { return authority[portStart...].dropFirst() }
        return scheme == "https" ? "443" : scheme == "http" ? "80" : ""
    }

    /// Those parts of the origin that count.
    func origin(of parts: KeyRule.Parts) -> String {
        guard !parts.isDisjoint(with: .origin) else { return "" }
        return (parts.contains(.scheme) ? scheme : "") + "://" + (parts.contains(.host) ? host : "") + ":"
            + (parts.contains(.port) ? port : "")
    }

    /// The path in lower case, without empty segments and without percent-encoding but that of slashes.
    var foldedPath: String {
        let segments = path.utf8.split(separator: UInt8(ascii: "/")).map { segment in
            PercentEncoding.decoded(segment).replacing("/", with: "%2F").lowercased()
        }
        return "/" + segments.joined(separator: "/")
    }

    /// The items of the query in their order, but for those of certain names.
    ///
    /// - Parameter names: Names as they are meant, without percent-encoding.
    /// - Returns: The items as they stand in the URL.
    func queryItems(ignoring names: Set<String>) -> [Substring] {
        names.isEmpty ? queryItems : queryItems.filter { !names.contains(Self.name(ofItem: $0)) }
    }

    /// The name of an item of a query, as it is meant.
    static func name(ofItem item: Substring) -> String {
        PercentEncoding.decoded(item.prefix { $0 != "=" }.replacing("+", with: " ")[...].utf8)
    }

    private var authority: Substring {
        guard let start = origin.firstRange(of: "://")?.upperBound else { return "" }
        return origin[start...]
    }

    /// Where the colon in front of the port stands, or the end.
    private var portStart: String.Index {
        let authority = authority
        let afterAddress = authority.lastIndex(of: "]") ?? authority.startIndex
        return authority[afterAddress...].lastIndex(of: ":") ?? authority.endIndex
    }
}
