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
