extension HAR {
    /// What was asked.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#request
    public struct Request: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method, such as `GET`; `GET` by default.
        ///   - url: The absolute URL as it was recorded, the fragment excluded by the specification.
        ///   - httpVersion: The version of HTTP as the tool wrote it: `HTTP/1.1`, `h2`, `HTTP/2.0`, or nothing;
        ///     `HTTP/1.1` by default.
        ///   - cookies: The cookies that were sent; none by default.
        ///   - headers: The header fields in their order, names that stand twice included; none by default.
        ///   - queryString: The parameters of the URL; none by default.
        ///   - postData: The body; `nil` by default.
        ///   - headersSize: The number of bytes of the header section; `nil` by default.
        ///   - bodySize: The number of bytes of the body as sent; `nil` by default.
        public init(
            method: String = "GET", url: String, httpVersion: String = "HTTP/1.1", cookies: [Cookie] = [],
            headers: [Header] = [], queryString: [QueryParameter] = [], postData: PostData? = nil,
            headersSize: Int? = nil, bodySize: Int? = nil
        ) {
            fields = [:]
            self.method = method
            self.url = url
            self.httpVersion = httpVersion
            self.cookies = cookies
            self.headers = headers
            self.queryString = queryString
            if let postData { self.postData = postData }
            self.headersSize = headersSize
            self.bodySize = bodySize
        }

        /// The method, such as `GET`.
        public var method: String {
            get { fields.text("method") ?? "" }
            set { fields["method"] = .string(JSONString(newValue)) }
        }

        /// The absolute URL as it was recorded, the fragment excluded by the specification.
        public var url: String {
            get { fields.text("url") ?? "" }
            set { fields["url"] = .string(JSONString(newValue)) }
        }

        /// The version of HTTP as the tool wrote it: `HTTP/1.1`, `h2`, `HTTP/2.0`, or nothing.
        public var httpVersion: String {
            get { fields.text("httpVersion") ?? "" }
            set { fields["httpVersion"] = .string(JSONString(newValue)) }
        }

        /// The cookies that were sent.
        public var cookies: [Cookie] {
            get { list("cookies") ?? [] }
            set { fields["cookies"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The header fields in their order, names that stand twice included.
        public var headers: [Header] {
            get { list("headers") ?? [] }
            set { fields["headers"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The parameters of the URL; where it differs from ``url``, the URL decides.
        public var queryString: [QueryParameter] {
            get { list("queryString") ?? [] }
            set { fields["queryString"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The body; `nil` when there was none or it is unknown.
        public var postData: PostData? {
            get { part("postData") }
            set { fields["postData"] = newValue.map { .object($0.fields) } }
        }

        /// The number of bytes of the header section; `nil` when it is unknown (absent, null or -1).
        public var headersSize: Int? {
            get { size("headersSize") }
            set { fields["headersSize"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The number of bytes of the body as sent; `nil` when it is unknown (absent, null or -1).
        public var bodySize: Int? {
            get { size("bodySize") }
            set { fields["bodySize"] = .number(JSONNumber(newValue ?? -1)) }
        }
    }
}

extension HAR {
    /// A parameter of a URL.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#queryString
    public struct QueryParameter: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a parameter.
        ///
        /// - Parameters:
        ///   - name: The name, decoded.
        ///   - value: The value, decoded.
        public init(name: String, value: String) {
            fields = [:]
            self.name = name
            self.value = value
        }

        /// The name, decoded.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The value, decoded.
        public var value: String {
            get { fields.text("value") ?? "" }
            set { fields["value"] = .string(JSONString(newValue)) }
        }
    }
}
