#if Server
    import Foundation
    import NIOHTTP1
    import RelayCore

    extension ServerState {
        /// Checks the token of a request, and removes it.
        ///
        /// Proxies receive it in `Proxy-Authorization`. A server that stands for another one also accepts `Authorization`,
        /// because its clients do not know that it is a proxy.
        ///
        /// - Throws: A rejection if the token is missing or wrong.
        func authorize(_ head: inout HTTPRequestHead) throws(Rejection) {
            guard let token else { return }
            let isProxied = head.method == .CONNECT || head.uri.utf8.first != UInt8(ascii: "/")
            for name in isProxied ? ["proxy-authorization"] : ["proxy-authorization", "authorization"] {
                guard let value = head.headers.first(name: name), Self.password(value) == SecretBytes(token) else {
                    continue
                }
                head.headers.remove(name: name)
                return
            }
            var rejection = Rejection(
                isProxied ? 407 : 401, "the token is missing or wrong; send it as the password of the proxy")
            let name = isProxied ? "Proxy-Authenticate" : "WWW-Authenticate"
            rejection.fields = [HeaderField(name: name, value: "Basic realm=\"har proxy\"")]
            throw rejection
        }

        /// Returns the password of credentials (https://www.rfc-editor.org/rfc/rfc7617#section-2), or an empty one.
        private static func password(_ value: String) -> SecretBytes {
            let words = value.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { return SecretBytes("") }
            if words[0].lowercased() == "bearer" { return SecretBytes(String(words[1])) }
            let pair = Data(base64Encoded: String(words[1])).flatMap { String(validating: $0, as: UTF8.self) } ?? ""
            let password = pair.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
            return SecretBytes(String(password) ?? "")
        }
    }
#endif
