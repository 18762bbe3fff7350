extension HAR {
    /// A header field.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#headers
    public struct Header: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a header field.
        ///
        /// - Parameters:
        ///   - name: The name, as sent.
        ///   - value: The value.
        public init(name: String, value: String) {
            fields = .pair(name, value)
        }

        /// The name, as sent.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The value.
        public var value: String {
            get { fields.text("value") ?? "" }
            set { fields["value"] = .string(JSONString(newValue)) }
        }
    }

    /// A cookie in a request or a response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cookies
    public struct Cookie: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a cookie.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(name: String, value: String) {
            fields = .pair(name, value)
        }

        /// The name.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The value.
        public var value: String {
            get { fields.text("value") ?? "" }
            set { fields["value"] = .string(JSONString(newValue)) }
        }

        /// The path of the cookie, or `nil` if it is missing.
        public var path: String? {
            get { fields.text("path") }
            set { fields["path"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The host of the cookie, or `nil` if it is missing.
        public var domain: String? {
            get { fields.text("domain") }
            set { fields["domain"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The expiration time, normally as ISO 8601 text, or `nil` for a session cookie.
        public var expires: String? {
            get { fields.text("expires") }
            set { fields["expires"] = newValue.map { .string(JSONString($0)) } }
        }

        /// Whether the cookie is inaccessible to scripts, or `nil` if that is unknown.
        public var httpOnly: Bool? {
            get { fields.bool("httpOnly") }
            set { fields["httpOnly"] = newValue.map { .bool($0) } }
        }

        /// Whether the cookie is sent only over TLS, or `nil` if that is unknown.
        ///
        /// Since HAR 1.2.
        public var secure: Bool? {
            get { fields.bool("secure") }
            set { fields["secure"] = newValue.map { .bool($0) } }
        }
    }
}
