#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    /// The proxy between this server and the network, which environment variables name, as for curl.
    struct UpstreamProxy: Equatable {
        let origin: UpstreamOrigin

        /// The value of `Proxy-Authorization`, or nil for none.
        let authorization: String?

        /// Returns the proxy for an origin, or nil for a direct connection.
        ///
        /// - Parameters:
        ///   - origin: The origin.
        ///   - environment: The environment variables.
        init?(for origin: UpstreamOrigin, environment: [String: String]) {
            // CGI programs receive the field `Proxy` as HTTP_PROXY, so only the lowercase name is read.
            let names = origin.isEncrypted ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
            let text = (names + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
            guard let text, !Self.isExcluded(origin.host, by: environment["no_proxy"] ?? environment["NO_PROXY"] ?? "")
            else { return nil }
            let url = LiteralURL(text)
            guard (url.scheme ?? "http").lowercased() == "http", let proxy = UpstreamOrigin("http://\(url.authority)")
            else { return nil }
            self.origin = proxy
            let user = url.user.dropLast()
            authorization =
                user.isEmpty ? nil : "Basic \(Data(PercentEncoding.decoded(user.utf8).utf8).base64EncodedString())"
        }

        /// Returns whether requests to a host are sent directly.
        ///
        /// - Parameters:
        ///   - host: The host.
        ///   - list: The hosts and domains, separated by commas; `*` for all.
        /// - Returns: Whether the host is excluded; always `true` for loopback addresses.
        private static func isExcluded(_ host: String, by list: String) -> Bool {
            if RequestHost(of: "http://\(host.contains(":") ? "[\(host)]" : host)/")?.isLoopback == true { return true }
            return list.lowercased().split(separator: ",").contains { item in
                let domain = item.trimming(.whitespaces).drop { $0 == "." }
                return domain == "*" || host == domain || host.hasSuffix(".\(domain)")
            }
        }

        /// Returns the request for a tunnel to an origin.
        func tunnelRequest(to target: UpstreamOrigin) -> String {
            let authority = "\(target.host.contains(":") ? "[\(target.host)]" : target.host):\(target.port)"
            let credentials = authorization.map { "Proxy-Authorization: \($0)\r\n" } ?? ""
            return "CONNECT \(authority) HTTP/1.1\r\nHost: \(authority)\r\n\(credentials)\r\n"
        }
    }
#endif
