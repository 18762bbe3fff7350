#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

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
                switch field.name.lowercased() {
                case "location": HeaderField(name: field.name, value: location(field.value))
                case "set-cookie": HeaderField(name: field.name, value: cookie(field.value))
                case "strict-transport-security": nil
                default: field
                }
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
