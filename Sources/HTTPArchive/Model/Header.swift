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
