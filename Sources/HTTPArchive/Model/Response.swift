extension HAR {
    /// What was answered.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#response
    public struct Response: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a response.
        ///
        /// - Parameters:
        ///   - status: The status code.
        ///   - statusText: The reason phrase; empty by default.
        ///   - httpVersion: The version of HTTP as the tool wrote it: `HTTP/1.1`, `h2`, `HTTP/2.0`, or nothing;
        ///     `HTTP/1.1` by default.
        ///   - cookies: The cookies that the answer set; none by default.
        ///   - headers: The header fields in their order, names that stand twice included; none by default.
        ///   - content: The body.
        ///   - redirectURL: Where the answer redirects to, absolute or relative; empty by default.
        ///   - headersSize: The number of bytes of the header section; `nil` by default.
        ///   - bodySize: The number of bytes of the body as received, 0 from a cache; `nil` by default.
        public init(
            status: Int, statusText: String = "", httpVersion: String = "HTTP/1.1", cookies: [Cookie] = [],
            headers: [Header] = [], content: Content, redirectURL: String = "", headersSize: Int? = nil,
            bodySize: Int? = nil
        ) {
            fields = [:]
            self.status = status
            self.statusText = statusText
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.content = content
            self.redirectURL = redirectURL
            self.headersSize = headersSize
            self.bodySize = bodySize
        }

        /// The status code; 0, and -1 in some files, for a request that failed.
        ///
        /// 0 when it is absent.
        public var status: Int {
            get { fields.int("status") ?? 0 }
            set { fields["status"] = .number(JSONNumber(newValue)) }
        }

        /// The reason phrase; empty in HTTP/2 and later.
        public var statusText: String {
            get { fields.text("statusText") ?? "" }
            set { fields["statusText"] = .string(JSONString(newValue)) }
        }

        /// The version of HTTP as the tool wrote it: `HTTP/1.1`, `h2`, `HTTP/2.0`, or nothing.
        public var httpVersion: String {
            get { fields.text("httpVersion") ?? "" }
            set { fields["httpVersion"] = .string(JSONString(newValue)) }
        }

        /// The cookies that the answer set.
        public var cookies: [Cookie] {
            get { list("cookies") ?? [] }
            set { fields["cookies"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The header fields in their order, names that stand twice included.
        public var headers: [Header] {
            get { list("headers") ?? [] }
            set { fields["headers"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The body.
        public var content: Content {
            get { part("content") ?? Content(fields: [:]) }
            set { fields["content"] = .object(newValue.fields) }
        }

        /// Where the answer redirects to, absolute or relative; empty when it does not.
        public var redirectURL: String {
            get { fields.text("redirectURL") ?? "" }
            set { fields["redirectURL"] = .string(JSONString(newValue)) }
        }

        /// The number of bytes of the header section; `nil` when it is unknown (absent, null or -1).
        public var headersSize: Int? {
            get { size("headersSize") }
            set { fields["headersSize"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The number of bytes of the body as received, 0 from a cache; `nil` when it is unknown (absent, null or -1).
        public var bodySize: Int? {
            get { size("bodySize") }
            set { fields["bodySize"] = .number(JSONNumber(newValue ?? -1)) }
        }
    }
}
