extension HAR {
    /// A recorded response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#response
    public struct Response: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - statusText: The reason phrase; empty by default.
        ///   - httpVersion: The HTTP version, such as `HTTP/1.1` or `h2`; `HTTP/1.1` by default.
        ///   - cookies: The cookies set by the response; empty by default.
        ///   - headers: The header fields in order, including repeated names; empty by default.
        ///   - content: The body.
        ///   - redirectURL: The target of a redirect, absolute or relative; empty by default.
        ///   - headersSize: The size of the header section in bytes; `nil` by default.
        ///   - bodySize: The size of the body as received, in bytes, or 0 for a cached response; `nil` by default.
        public init(
            status: Int, statusText: String = "", httpVersion: String = "HTTP/1.1", cookies: [Cookie] = [],
            headers: [Header] = [], content: Content, redirectURL: String = "", headersSize: Int? = nil,
            bodySize: Int? = nil
        ) {
            fields = JSONObject(members: [
                .init(name: "status", value: .number(JSONNumber(status))),
                .init(name: "statusText", value: .string(JSONString(statusText))),
                .init(name: "httpVersion", value: .string(JSONString(httpVersion))),
                .init(name: "cookies", value: .array(cookies.map { .object($0.fields) })),
                .init(name: "headers", value: .array(headers.map { .object($0.fields) })),
                .init(name: "content", value: .object(content.fields)),
                .init(name: "redirectURL", value: .string(JSONString(redirectURL))),
                .init(name: "headersSize", value: .number(JSONNumber(headersSize ?? -1))),
                .init(name: "bodySize", value: .number(JSONNumber(bodySize ?? -1))),
            ])
        }

        /// The status code; 0 if it is missing.
        ///
        /// The status of a failed request is 0, or -1 in some archives.
        public var status: Int {
            get { fields.int("status") ?? 0 }
            set { fields["status"] = .number(JSONNumber(newValue)) }
        }

        /// The reason phrase; empty in HTTP/2 and later.
        public var statusText: String {
            get { fields.text("statusText") ?? "" }
            set { fields["statusText"] = .string(JSONString(newValue)) }
        }

        /// The HTTP version as written by the tool, such as `HTTP/1.1`, `h2` or `HTTP/2.0`; empty if it is unknown.
        public var httpVersion: String {
            get { fields.text("httpVersion") ?? "" }
            set { fields["httpVersion"] = .string(JSONString(newValue)) }
        }

        /// The cookies set by the response.
        public var cookies: [Cookie] {
            get { list("cookies") ?? [] }
            set { fields["cookies"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The header fields in order, including repeated names.
        public var headers: [Header] {
            get { list("headers") ?? [] }
            set { fields["headers"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The body.
        public var content: Content {
            get { part("content") ?? Content(fields: [:]) }
            set { fields["content"] = .object(newValue.fields) }
        }

        /// The target of a redirect, absolute or relative; empty for other responses.
        public var redirectURL: String {
            get { fields.text("redirectURL") ?? "" }
            set { fields["redirectURL"] = .string(JSONString(newValue)) }
        }

        /// The size of the header section in bytes, or `nil` if it is unknown (missing, null or negative).
        public var headersSize: Int? {
            get { size("headersSize") }
            set { fields["headersSize"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The size of the body as received, in bytes; 0 for a cached response.
        ///
        /// The value is `nil` if the size is unknown (missing, null or negative).
        public var bodySize: Int? {
            get { size("bodySize") }
            set { fields["bodySize"] = .number(JSONNumber(newValue ?? -1)) }
        }
    }

    /// The body of a response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#content
    public struct Content: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a response body.
        ///
        /// - Parameters:
        ///   - size: The size of the body after content decoding, in bytes.
        ///   - mimeType: The media type, with its parameters.
        ///   - text: The body as text, encoded as ``encoding`` specifies; `nil` by default.
        ///   - encoding: The encoding of ``text``, such as `base64`; `nil` by default.
        public init(size: Int?, mimeType: String, text: String? = nil, encoding: String? = nil) {
            fields = [:]
            self.size = size
            self.mimeType = mimeType
            self.text = text
            self.encoding = encoding
        }

        /// The size of the body after content decoding, in bytes, or `nil` if it is unknown (missing, null or
        /// negative).
        public var size: Int? {
            get { size("size") }
            set { fields["size"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The number of bytes saved by compression, or `nil` if it is unknown.
        public var compression: Int? {
            get { fields.int("compression") }
            set { fields["compression"] = newValue.map { .number(JSONNumber($0)) } }
        }

        /// The media type, with its parameters; empty if it is unknown.
        public var mimeType: String {
            get { fields.text("mimeType") ?? "" }
            set { fields["mimeType"] = .string(JSONString(newValue)) }
        }

        /// The body as text, encoded as ``encoding`` specifies, or `nil` if the body was not captured.
        public var text: String? {
            get { fields.text("text") }
            set { fields["text"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The same content with its fields decoded, for several readers of a long text.
        package var decoded: Content { Content(fields: fields.decoded(depth: 1)) }

        /// The encoding of ``text``, such as `base64`, or `nil` for plain text.
        ///
        /// Since HAR 1.2.
        public var encoding: String? {
            get { fields.text("encoding") }
            set { fields["encoding"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}

extension HAR.Response {
    /// The status codes of responses (RFC 9110, section 15).
    ///
    /// Servers send codes from 600, which HTTP does not define. Clients treat them as 5xx.
    package static let statuses = 100...999

    /// The status codes of final responses, which are replayed.
    package static let finalStatuses = 200...999
}
