extension HAR {
    /// A recorded request.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#request
    public struct Request: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a request.
        ///
        /// - Parameters:
        ///   - method: The method; `GET` by default.
        ///   - url: The absolute URL; the specification does not allow a fragment.
        ///   - httpVersion: The HTTP version, such as `HTTP/1.1` or `h2`; `HTTP/1.1` by default.
        ///   - cookies: The cookies that were sent; empty by default.
        ///   - headers: The header fields in order, including repeated names; empty by default.
        ///   - queryString: The query parameters of the URL; empty by default.
        ///   - postData: The body; `nil` by default.
        ///   - headersSize: The size of the header section in bytes; `nil` by default.
        ///   - bodySize: The size of the body as sent, in bytes; `nil` by default.
        public init(
            method: String = "GET", url: String, httpVersion: String = "HTTP/1.1", cookies: [Cookie] = [],
            headers: [Header] = [], queryString: [QueryParameter] = [], postData: PostData? = nil,
            headersSize: Int? = nil, bodySize: Int? = nil
        ) {
            fields = JSONObject(members: [
                .init(name: "method", value: .string(JSONString(method))),
                .init(name: "url", value: .string(JSONString(url))),
                .init(name: "httpVersion", value: .string(JSONString(httpVersion))),
                .init(name: "cookies", value: .array(cookies.map { .object($0.fields) })),
                .init(name: "headers", value: .array(headers.map { .object($0.fields) })),
                .init(name: "queryString", value: .array(queryString.map { .object($0.fields) })),
            ])
            self.postData = postData
            self.headersSize = headersSize
            self.bodySize = bodySize
        }

        /// The method, such as `GET`.
        public var method: String {
            get { fields.text("method") ?? "" }
            set { fields["method"] = .string(JSONString(newValue)) }
        }

        /// The absolute URL; the specification does not allow a fragment.
        public var url: String {
            get { fields.text("url") ?? "" }
            set { fields["url"] = .string(JSONString(newValue)) }
        }

        /// The HTTP version as written by the tool, such as `HTTP/1.1`, `h2` or `HTTP/2.0`; empty if it is unknown.
        public var httpVersion: String {
            get { fields.text("httpVersion") ?? "" }
            set { fields["httpVersion"] = .string(JSONString(newValue)) }
        }

        /// The cookies that were sent.
        public var cookies: [Cookie] {
            get { list("cookies") ?? [] }
            set { fields["cookies"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The header fields in order, including repeated names.
        public var headers: [Header] {
            get { list("headers") ?? [] }
            set { fields["headers"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The query parameters of the URL; if they differ from those in ``url``, ``url`` takes precedence.
        public var queryString: [QueryParameter] {
            get { list("queryString") ?? [] }
            set { fields["queryString"] = .array(newValue.map { .object($0.fields) }) }
        }

        /// The body, or `nil` if the request has no body or the body is unknown.
        public var postData: PostData? {
            get { part("postData") }
            set { fields["postData"] = newValue.map { .object($0.fields) } }
        }

        /// The size of the header section in bytes, or `nil` if it is unknown (missing, null or negative).
        public var headersSize: Int? {
            get { size("headersSize") }
            set { fields["headersSize"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The size of the body as sent, in bytes, or `nil` if it is unknown (missing, null or negative).
        public var bodySize: Int? {
            get { size("bodySize") }
            set { fields["bodySize"] = .number(JSONNumber(newValue ?? -1)) }
        }
    }

    /// A query parameter of a URL.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#queryString
    public struct QueryParameter: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a query parameter.
        ///
        /// - Parameters:
        ///   - name: The name, decoded.
        ///   - value: The value, decoded.
        public init(name: String, value: String) {
            fields = .pair(name, value)
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

    /// The body of a request.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#postData
    public struct PostData: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a request body.
        ///
        /// - Parameters:
        ///   - mimeType: The media type, with its parameters.
        ///   - params: The form fields; `nil` by default.
        ///   - text: The body as text; `nil` by default.
        public init(mimeType: String, params: [Parameter]? = nil, text: String? = nil) {
            fields = [:]
            self.mimeType = mimeType
            self.params = params
            self.text = text
        }

        /// The media type, with its parameters.
        public var mimeType: String {
            get { fields.text("mimeType") ?? "" }
            set { fields["mimeType"] = .string(JSONString(newValue)) }
        }

        /// The form fields, or `nil` if the array is missing.
        public var params: [Parameter]? {
            get { list("params") }
            set { fields["params"] = newValue.map { .array($0.map { .object($0.fields) }) } }
        }

        /// The body as text, or `nil` if it is missing.
        public var text: String? {
            get { fields.text("text") }
            set { fields["text"] = newValue.map { .string(JSONString($0)) } }
        }
    }

    /// A field in a submitted form.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#params
    public struct Parameter: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a form field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value, or the content of the uploaded file; `nil` by default.
        ///   - fileName: The name of the uploaded file; `nil` by default.
        ///   - contentType: The media type of the uploaded file; `nil` by default.
        public init(name: String, value: String? = nil, fileName: String? = nil, contentType: String? = nil) {
            fields = [:]
            self.name = name
            self.value = value
            self.fileName = fileName
            self.contentType = contentType
        }

        /// The name.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The value, or the content of the uploaded file; `nil` if it is missing.
        public var value: String? {
            get { fields.text("value") }
            set { fields["value"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The name of the uploaded file, or `nil` for a plain field.
        public var fileName: String? {
            get { fields.text("fileName") }
            set { fields["fileName"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The media type of the uploaded file, or `nil` if it is missing.
        public var contentType: String? {
            get { fields.text("contentType") }
            set { fields["contentType"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}

extension HAR.Request {
    /// The reason why the request is not replayed, and what is replayed instead, or `nil` for other requests.
    package var unreplayedReason: String? {
        method.uppercased() == "CONNECT"
            ? "CONNECT opens a proxy tunnel, whose requests are separate entries. Replay those entries instead." : nil
    }
}
