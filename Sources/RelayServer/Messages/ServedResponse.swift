#if Server
    import Foundation
    import HTTPArchive
    import NIOCore
    import RelayCore

    /// A response in the form that connections send.
    struct ServedResponse: Sendable {
        /// The status code, from 200 to 999.
        let status: Int

        /// The reason phrase; may be empty.
        let reason: String

        /// The header fields, without those that describe the transfer.
        private(set) var fields: [HeaderField]

        /// The body; empty if the response cannot have one or the body is read in parts.
        let body: Data

        /// The value of `Content-Length`, or nil if the response has none.
        let length: Int?

        /// Whether a body follows the head, even if it is empty.
        let hasBody: Bool

        /// Whether a field refers to the origin.
        let namesOrigin: Bool

        /// Whether the head is sent in ISO 8859-1 over HTTP/1.
        private var isLatin1 = false

        /// The complete response for a persistent HTTP/1.1 connection, or nil if the body is large.
        private(set) var http1: ByteBuffer?

        /// The maximum size of a body that is sent together with the head, in bytes.
        static let smallBody = 1 << 16

        /// Creates a response from a response of the engine, or returns nil if the status is not final.
        ///
        /// - Parameters:
        ///   - response: The response, with content and transfer codings removed.
        ///   - method: The method of the request.
        ///   - isTruncated: Whether the recorded body is incomplete.
        init?(_ response: InterceptedResponse, method: String, isTruncated: Bool = false) {
            guard 200...999 ~= response.status else { return nil }
            status = response.status
            reason = FieldSyntax.singleLine(response.statusText)
            hasBody = Self.hasBody(status: status, method: method)
            // The response to HEAD can be the response to GET, with a body that is not sent.
            let describesBody = hasBody || response.bodySize > 0 && Self.hasBody(status: status, method: "GET")
            fields = response.headers.compactMap { field in
                Self.isSent(field.name.lowercased(), isDecoded: describesBody && !response.keepsCoding)
                    && FieldSyntax.isToken(field.name)
                    ? HeaderField(name: field.name, value: FieldSyntax.singleLine(field.value)) : nil
            }
            namesOrigin = fields.contains { OriginMapping.affects($0.name.lowercased()) }
            let recorded = response.headers.values(named: "content-length").first.flatMap { Int($0) }
            if describesBody {
                body = hasBody ? response.body : Data()
                let size = response.bodySize
                length = isTruncated ? recorded.flatMap { $0 > size ? $0 : nil } : size
            } else {
                body = Data()
                // RFC 9110, section 15.3.6: a response with status 205 has no content.
                length = status == 204 ? nil : status == 205 ? 0 : recorded.flatMap { $0 >= 0 ? $0 : nil }
            }
            let isSmall = body.count <= Self.smallBody && (response.storedBody == nil || !hasBody)
            if !isTruncated, isSmall { http1 = completeHTTP1() }
        }

        /// Creates the head of a response from the network, which is passed on.
        ///
        /// - Parameters:
        ///   - head: The head as received.
        ///   - length: The size of the body in bytes, or nil if it is unknown.
        ///   - method: The method of the request.
        ///   - isLatin1: Whether HTTP/1 clients receive the fields in ISO 8859-1 as the server sent them; `false` by
        ///     default.
        init(_ head: CapturedExchange.Head, length: Int?, method: String, isLatin1: Bool = false) {
            self.isLatin1 = isLatin1
            status = head.status
            reason = FieldSyntax.singleLine(head.statusText)
            hasBody = Self.hasBody(status: status, method: method)
            fields = head.headers.compactMap { field in
                let isSent = !field.isNamed("content-length") && !ConnectionField.contains(field.name)
                return isSent && FieldSyntax.isToken(field.name)
                    ? HeaderField(name: field.name, value: FieldSyntax.singleLine(field.value)) : nil
            }
            body = Data()
            self.length = length
            namesOrigin = true
        }

        /// Creates a response with a message by the server.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - message: The message, to which a line break is appended.
        ///   - method: The method of the request; `GET` by default.
        ///   - fields: Additional header fields; none by default.
        init(_ status: Int, message: String, method: String = "GET", fields: [HeaderField] = []) {
            let body = Data((message + "\n").utf8)
            self.status = status
            reason = Self.reason(status)
            self.fields = [HeaderField(name: "Content-Type", value: "text/plain; charset=utf-8")] + fields
            hasBody = Self.hasBody(status: status, method: method)
            self.body = hasBody ? body : Data()
            length = status == 204 ? nil : status == 205 ? 0 : body.count
            namesOrigin = false
            http1 = completeHTTP1()
        }

        /// Returns whether a body follows the head (https://www.rfc-editor.org/rfc/rfc9112#section-6.3).
        static func hasBody(status: Int, method: String) -> Bool {
            method != "HEAD" && ![204, 205, 304].contains(status)
        }

        /// Returns the response for a client that knows another origin.
        func mapped(by mapping: OriginMapping) -> ServedResponse {
            var response = self
            response.fields = mapping.visible(fields)
            if http1 != nil { response.http1 = response.completeHTTP1() }
            return response
        }

        /// Returns whether a response field with the given lowercase name is sent.
        ///
        /// The fields of the connection belong to the server. `Alt-Svc` would direct clients to the network.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - isDecoded: Whether the response has a body without content codings.
        /// - Returns: Whether the field is sent.
        private static func isSent(_ name: String, isDecoded: Bool) -> Bool {
            switch name {
            case "content-length", "alt-svc", "trailer": false
            case "content-encoding": !isDecoded
            default: !ConnectionField.names.contains(name)
            }
        }

        /// Returns the complete response for HTTP/1.1.
        ///
        /// - Parameter connection: The value of the field `Connection`, or nil (the default) for none.
        /// - Returns: The head and the body.
        func completeHTTP1(connection: String? = nil) -> ByteBuffer {
            var buffer = ByteBuffer()
            buffer.reserveCapacity(256 + 64 * fields.count + body.count)
            writeHTTP1Head(to: &buffer, connection: connection, isChunked: false)
            buffer.writeBytes(body)
            return buffer
        }

        /// Writes the head for HTTP/1.1.
        ///
        /// - Parameters:
        ///   - buffer: The buffer.
        ///   - connection: The value of the field `Connection`, or nil for none.
        ///   - isChunked: Whether the body is sent in chunks.
        func writeHTTP1Head(to buffer: inout ByteBuffer, connection: String?, isChunked: Bool) {
            let start = buffer.writerIndex
            buffer.writeString("HTTP/1.1 \(status) \(reason)\r\n")
            buffer.write(fields)
            if isLatin1 {
                let text = buffer.getString(at: start, length: buffer.writerIndex - start) ?? ""
                buffer.moveWriterIndex(to: start)
                buffer.writeBytes(text.unicodeScalars.map { UInt8(exactly: $0.value) ?? UInt8(ascii: "?") })
            }
            if isChunked {
                buffer.writeString("Transfer-Encoding: chunked\r\n")
            } else if let length {
                buffer.writeString("Content-Length: \(length)\r\n")
            }
            if let connection { buffer.writeString("Connection: \(connection)\r\n") }
            buffer.writeString("\r\n")
        }

        /// Returns the reason phrase of a status code, or an empty string if it is not used by the server.
        private static func reason(_ status: Int) -> String {
            switch status {
            case 400: "Bad Request"
            case 401: "Unauthorized"
            case 403: "Forbidden"
            case 404: "Not Found"
            case 407: "Proxy Authentication Required"
            case 408: "Request Timeout"
            case 413: "Content Too Large"
            case 417: "Expectation Failed"
            case 426: "Upgrade Required"
            case 431: "Request Header Fields Too Large"
            case 501: "Not Implemented"
            case 502: "Bad Gateway"
            case 503: "Service Unavailable"
            case 505: "HTTP Version Not Supported"
            default: ""
            }
        }
    }
#endif
