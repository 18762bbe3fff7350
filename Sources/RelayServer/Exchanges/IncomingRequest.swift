#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import NIOHTTP1
    import RelayCore

    /// A request whose body is being received over HTTP/1.
    struct IncomingRequest {
        /// The properties of the client that its response depends on.
        struct Client {
            /// Whether the connection stays open after the response.
            let isPersistent: Bool

            /// Whether the client understands chunked bodies.
            let isHTTP11: Bool
        }

        var request: ServedRequest
        let client: Client

        /// Whether the client waits for permission to send the body.
        let expectsContinue: Bool

        /// Whether the body is sent to the network while it is received.
        let isStreaming: Bool

        /// The body, or nil if no part of it has arrived.
        private(set) var share: BodyShare?

        private let limit: Int
        private let server: ServerState
        private let refuse: (Rejection) -> Void

        /// The time by which the next part of the body must arrive.
        private(set) var deadline: BodyDeadline

        /// Checks the head of a request.
        ///
        /// - Parameters:
        ///   - head: The head.
        ///   - destination: The destination.
        ///   - server: The server.
        ///   - refuse: A closure that rejects the request while its body is being received.
        /// - Throws: A rejection if the request violates HTTP or a limit.
        init(
            _ head: HTTPRequestHead, to destination: ServedRequest.Destination, at server: ServerState,
            refuse: @escaping (Rejection) -> Void
        ) throws(Rejection) {
            limit = server.limits.bodySize
            self.server = server
            self.refuse = refuse
            deadline = BodyDeadline(server.requestTime, rate: server.limits.bodyRate, at: .now())
            var head = head
            if case .server = destination { try server.authorize(&head) }
            request = try ServedRequest(head, to: destination, among: &server.origins)
            let isHTTP11 = head.version.major > 1 || head.version.minor >= 1
            // The decoder stops after a request with the field Upgrade, which the server ignores.
            client = Client(
                isPersistent: head.isKeepAlive && !head.headers.contains(name: "upgrade"), isHTTP11: isHTTP11)
            isStreaming = server.streamsUploads && Self.mayBeLarge(head)
            let codings = head.headers[canonicalForm: "transfer-encoding"]
            if !codings.isEmpty {
                // RFC 9112, section 6.1, https://www.rfc-editor.org/rfc/rfc9112#section-6.1.
                guard isHTTP11 else { throw Rejection(400, "Transfer-Encoding in a request with HTTP/1.0") }
                guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                    throw Rejection(501, "a transfer coding other than chunked")
                }
            } else if let length = head.headers[canonicalForm: "content-length"].first {
                guard let length = Int(length), isStreaming || length <= limit else { throw Self.tooLarge(limit) }
            }
            let expectations = head.headers[canonicalForm: "expect"]
            guard expectations.allSatisfy({ $0.lowercased() == "100-continue" }) else {
                throw Rejection(417, "an expectation other than 100-continue")
            }
            expectsContinue = !expectations.isEmpty && isHTTP11
        }

        /// Returns whether the body of a request may be too large to wait for its end.
        private static func mayBeLarge(_ head: HTTPRequestHead) -> Bool {
            if !head.headers["transfer-encoding"].isEmpty { return true }
            if let length = head.headers["content-length"].first { return Int(length) ?? 0 > ServedResponse.smallBody }
            return head.version.major == 2 && [.POST, .PUT, .PATCH].contains(head.method)
        }

        /// Appends a part of the body.
        ///
        /// - Throws: A rejection if the body exceeds a limit.
        mutating func append(_ part: ByteBuffer) throws(Rejection) {
            guard (share?.size ?? 0) + part.readableBytes <= limit else { throw Self.tooLarge(limit) }
            deadline.receive(part.readableBytes, at: .now())
            let share = share ?? BodyShare(of: server, refuse: refuse)
            self.share = share
            try share.append(part)
        }

        /// The complete request.
        var complete: ServedRequest {
            var complete = request
            complete.request.body = share?.takeBody()
            return complete
        }

        private static func tooLarge(_ limit: Int) -> Rejection {
            Rejection(413, "a body of more than \(limit) bytes; raise the limit with bodySize or --max-body")
        }
    }
#endif
