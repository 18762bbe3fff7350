extension HAR {
    /// A header field.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#headers
    public struct Header: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a header field.
        ///
        /// - Parameters:
        ///   - name: The name as it was sent.
        ///   - value: The value.
        public init(name: String, value: String) {
            fields = [:]
            self.name = name
            self.value = value
        }

        /// The name as it was sent.
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
}

extension HAR {
    /// A cookie that was sent or set.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cookies
    public struct Cookie: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a cookie.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value.
        public init(name: String, value: String) {
            fields = [:]
            self.name = name
            self.value = value
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

        /// The path that it belongs to; `nil` when it is not given.
        public var path: String? {
            get { fields.text("path") }
            set { fields["path"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The host that it belongs to; `nil` when it is not given.
        public var domain: String? {
            get { fields.text("domain") }
            set { fields["domain"] = newValue.map { .string(JSONString($0)) } }
        }

        /// When it expires, as ISO 8601 text in files that follow the specification; `nil` for a session cookie.
        public var expires: String? {
            get { fields.text("expires") }
            set { fields["expires"] = newValue.map { .string(JSONString($0)) } }
        }

        /// Whether scripts cannot see it; `nil` when it is not given.
        public var httpOnly: Bool? {
            get { fields.bool("httpOnly") }
            set { fields["httpOnly"] = newValue.map { .bool($0) } }
        }

        /// Whether it is sent over TLS alone; `nil` when it is not given.
        ///
        /// Since HAR 1.2.
        public var secure: Bool? {
            get { fields.bool("secure") }
            set { fields["secure"] = newValue.map { .bool($0) } }
        }
    }
}
