#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    /// The origin of a request that names only a host.
    struct RequestOrigin: Sendable {
        /// The origin, such as `https://api.example.com`.
        let text: String

        /// The host and port in ``text``.
        let authority: String

        /// The recorded origin and the origin that the client knows instead; nil if they are the same.
        let mapping: OriginMapping?

        /// Whether the origin is recorded, or the host is the server's.
        let isOwn: Bool

        /// Finds the origin of a request.
        ///
        /// - Parameters:
        ///   - field: The value of the field `Host`, or an empty string if the field is missing.
        ///   - scheme: The scheme of the connection.
        ///   - origins: The recorded origins.
        /// - Throws: A rejection if the field is invalid.
        init(ofHost field: String, scheme: String, among origins: Origins) throws(Rejection) {
            let host = field.trimming(.whitespaces)
            guard host.isEmpty || Origins.isHost(host) else { throw Rejection(400, "an invalid Host field") }
            let (origin, isMapped, isOwn) = origins.origin(ofHost: host, scheme: scheme)
            self.isOwn = isOwn
            text = origin
            authority = String(LiteralURL(origin).authority)
            mapping = isMapped ? OriginMapping(recorded: origin, visible: "\(scheme)://\(host)") : nil
        }
    }

    /// The origins of recent requests, because most requests to a server name the same few hosts.
    struct RecentOrigins {
        private struct Key: Hashable {
            let host: String
            let scheme: String
        }

        /// The maximum number of hosts.
        private static let limit = 100

        private let origins: Origins
        private var recent: [Key: RequestOrigin] = [:]

        /// Creates a cache.
        init(among origins: Origins) { self.origins = origins }

        /// Returns whether a host without a port is recorded, or is the server's.
        func knows(_ host: String) -> Bool { origins.knows(host) }

        /// Returns the origin of a request.
        ///
        /// - Parameters:
        ///   - host: The value of the field `Host`, or an empty string if the field is missing.
        ///   - scheme: The scheme of the connection.
        /// - Returns: The origin.
        /// - Throws: A rejection if the field is invalid.
        mutating func origin(ofHost host: String, scheme: String) throws(Rejection) -> RequestOrigin {
            let key = Key(host: host, scheme: scheme)
            if let origin = recent[key] { return origin }
            let origin = try RequestOrigin(ofHost: host, scheme: scheme, among: origins)
            if recent.count >= Self.limit { recent.removeAll() }
            recent[key] = origin
            return origin
        }
    }

    /// A recorded origin, and the origin under which a client reaches it.
    struct OriginMapping: Sendable {
        /// The recorded origin, such as `https://api.example.com`.
        let recorded: String

        /// The origin that the client knows, such as `http://127.0.0.1:8080`.
        let visible: String

        /// Returns whether a field refers to the origin of its response.
        static func affects(_ name: String) -> Bool {
            ["location", "set-cookie", "strict-transport-security"].contains(name)
        }

        /// Returns response fields as a server at the visible origin would send them.
        ///
        /// Redirects stay at the server. Cookies lose the attributes with which clients would reject them: their
        /// domain, and the restriction to secure connections.
        func visible(_ fields: [HeaderField]) -> [HeaderField] {
            fields.compactMap { field in
                if field.isNamed("location") { return HeaderField(name: field.name, value: location(field.value)) }
                if field.isNamed("set-cookie") { return HeaderField(name: field.name, value: cookie(field.value)) }
                return field.isNamed("strict-transport-security") ? nil : field
            }
        }

        private func location(_ value: String) -> String {
            // A reference without a scheme has the scheme of the response's URL.
            let absolute = value.hasPrefix("//") ? recorded.prefix { $0 != "/" } + value : value
            let url = LiteralURL(absolute)
            guard url.scheme != nil, NormalizedURL(absolute).origin == recorded else { return value }
            return "\(visible)\(url.path)\(url.query)\(url.fragment)"
        }

        private func cookie(_ value: String) -> String {
            let isSecure = visible.hasPrefix("https:")
            var parts: [Substring] = []
            for part in CookieText.parts(of: value.utf8) {
                let pair = CookieText(part)
                let isSent =
                    switch parts.isEmpty ? "" : pair.attribute {
                    case "domain": false
                    case "secure", "partitioned": isSecure
                    case "samesite": isSecure || pair.text.lowercased() != "none"
                    default: true
                    }
                if isSent { parts.append(Substring(part)) }
            }
            return parts.joined(separator: ";")
        }
    }
#endif
