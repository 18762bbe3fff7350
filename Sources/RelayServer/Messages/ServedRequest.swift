#if Server
    import Foundation
    import HTTPArchive
    import NIOHTTP1
    import RelayCore

    /// A request that the server received.
    struct ServedRequest: Sendable {
        /// The destination of a request, which the connection or its tunnel determines.
        enum Destination: Sendable {
            /// The server itself, or any origin if the server is used as a proxy; the scheme depends on the use of TLS.
            case server(scheme: String)

            /// The origin of a tunnel, such as `https://api.example.com`.
            case tunnel(origin: String)

            /// The scheme of the connection.
            var scheme: String {
                switch self {
                case .server(let scheme): scheme
                case .tunnel(let origin): origin.hasPrefix("https:") ? "https" : "http"
                }
            }
        }

        /// The request for the engine.
        var request: InterceptedRequest

        /// Whether the request is directed to the server by a name that is not the server's.
        let isMisdirected: Bool

        /// The value of `Sec-WebSocket-Key` if the request opens a WebSocket connection, whose URL then has the scheme `ws`
        /// or `wss`, or nil.
        let webSocketKey: String?

        /// The recorded origin and the origin that the client knows instead; nil if they are the same.
        let mapping: OriginMapping?

        /// Creates a request without its body.
        ///
        /// - Parameters:
        ///   - head: The head as received.
        ///   - destination: The destination of the connection.
        ///   - origins: The recorded origins.
        /// - Throws: A rejection if the target or the field `Host` is invalid.
        init(
            _ head: HTTPRequestHead, to destination: Destination, among origins: inout RecentOrigins
        ) throws(Rejection) {
            let host = try Self.host(of: head)
            // RFC 9112, section 3.2: an invalid field is an error even where the field is not used.
            let named = try origins.origin(ofHost: host, scheme: destination.scheme)
            let target = head.uri
            let url: String
            var isMisdirected = false
            var authority: String?
            if target.utf8.first == UInt8(ascii: "/") || target == "*" && head.method == .OPTIONS {
                let origin: String
                switch destination {
                case .tunnel(let tunnel):
                    origin = tunnel
                    mapping = nil
                case .server:
                    origin = named.text
                    authority = named.authority
                    mapping = named.mapping
                    isMisdirected = !named.isOwn
                }
                url = target == "*" ? origin : origin + target
            } else {
                // RFC 9112, section 3.2.2: the field Host is ignored if the target is absolute.
                let absolute = LiteralURL(target)
                let isHTTP = absolute.scheme.map { ["http", "https", "ws", "wss"].contains($0.lowercased()) } ?? false
                guard isHTTP, Origins.isHost(String(absolute.authority)) else {
                    throw Rejection(400, "an invalid request target")
                }
                url = target
                mapping = nil
            }
            self.isMisdirected = isMisdirected
            let isUpgrade =
                head.method == .GET
                && head.headers[canonicalForm: "upgrade"].contains { $0.lowercased() == "websocket" }
            webSocketKey = isUpgrade ? head.headers["sec-websocket-key"].first ?? "" : nil
            request = InterceptedRequest(
                method: head.method.rawValue, url: isUpgrade && url.hasPrefix("http") ? "ws" + url.dropFirst(4) : url,
                headers: Self.fields(of: head, host: authority ?? String(LiteralURL(url).authority)))
        }

        /// Returns the field `Host` of a request, or an empty string if a version that does not require it omits it
        /// (https://www.rfc-editor.org/rfc/rfc9112#section-3.2).
        static func host(of head: HTTPRequestHead) throws(Rejection) -> String {
            let hosts = head.headers["host"]
            guard hosts.count <= 1 else { throw Rejection(400, "more than one Host field") }
            guard !hosts.isEmpty || head.version != .http1_1 else { throw Rejection(400, "no Host field") }
            return hosts.first ?? ""
        }

        /// Returns the fields of a request that do not concern only the connection
        /// (https://www.rfc-editor.org/rfc/rfc9110#section-7.6.1), with the authority of the URL as `Host`.
        private static func fields(of head: HTTPRequestHead, host: String) -> [HeaderField] {
            var fields: [HeaderField] = []
            var named: Set<String> = []
            fields.reserveCapacity(head.headers.count)
            for (name, received) in head.headers {
                // The decoder keeps the white space after a value.
                let hasSpace = received.utf8.last.map { $0 == 0x20 || $0 == 0x09 } ?? false
                let value = hasSpace ? received.trimming(.whitespaces) : received
                guard ConnectionField.mayBe(name) else {
                    fields.append(HeaderField(name: name, value: value))
                    continue
                }
                switch name.lowercased() {
                case "host": fields.append(HeaderField(name: name, value: host))
                case "connection":
                    named.formUnion(value.lowercased().split(separator: ",").map { $0.trimming(.whitespaces) })
                case "te" where head.version.major == 2 && value.lowercased() == "trailers":
                    // RFC 9113, section 8.2.2, allows the field in HTTP/2.
                    fields.append(HeaderField(name: name, value: value))
                case let name where ConnectionField.names.contains(name): break
                default: fields.append(HeaderField(name: name, value: value))
                }
            }
            named.subtract(["close", "keep-alive"])
            if !named.isEmpty { fields.removeAll { named.contains($0.name.lowercased()) } }
            return fields
        }
    }

    extension InterceptedRequest {
        /// The request with the scheme `http` or `https` if it opens a WebSocket connection.
        var withHTTPScheme: InterceptedRequest {
            guard url.hasPrefix("ws") else { return self }
            var request = self
            request.url = "http" + url.dropFirst(2)
            return request
        }
    }

    /// The fields that concern only one connection, or the proxy itself.
    enum ConnectionField {
        /// The lowercase names.
        static let names: Set = [
            "connection", "keep-alive", "proxy-connection", "proxy-authorization", "te", "transfer-encoding", "upgrade",
            "http2-settings",
        ]

        /// The sizes of these names and of `host` in bytes, as a bit set, so that most other names need no comparison.
        private static let sizes = names.union(["host"]).reduce(UInt64(0)) { $0 | 1 << $1.utf8.count }

        /// Returns whether a name may be one of these names or `host`, in any case.
        static func mayBe(_ name: String) -> Bool { sizes & 1 << name.utf8.count != 0 }

        /// Returns whether a name is one of these names, in any case.
        static func contains(_ name: String) -> Bool { mayBe(name) && names.contains(name.lowercased()) }
    }

    /// A request that violates HTTP or a limit of the server, and the response to it.
    struct Rejection: Error {
        /// The status code of the response.
        let status: Int

        /// The violation, without any text from the request.
        let reason: String

        /// The header fields of the response; none by default.
        var fields: [HeaderField] = []

        /// The rejection of a request whose body arrives too slowly.
        static let slowBody = Rejection(408, "the body of a request is incomplete or arrives too slowly")

        /// Creates a rejection.
        init(_ status: Int, _ reason: String) {
            self.status = status
            self.reason = reason
        }
    }
#endif
