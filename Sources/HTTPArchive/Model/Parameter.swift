extension HAR {
    /// A field of a form that was sent.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#params
    public struct Parameter: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a form field.
        ///
        /// - Parameters:
        ///   - name: The name.
        ///   - value: The value, or the content of a file; `nil` by default.
        ///   - fileName: The name of a file; `nil` by default.
        ///   - contentType: The media type of a file; `nil` by default.
        public init(name: String, value: String? = nil, fileName: String? = nil, contentType: String? = nil) {
            fields = [:]
            self.name = name
            if let value { self.value = value }
            if let fileName { self.fileName = fileName }
            if let contentType { self.contentType = contentType }
        }

        /// The name.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The value, or the content of a file; `nil` when it is not given.
        public var value: String? {
            get { fields.text("value") }
            set { fields["value"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The name of a file; `nil` for a plain field.
        public var fileName: String? {
            get { fields.text("fileName") }
            set { fields["fileName"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The media type of a file; `nil` when it is not given.
        public var contentType: String? {
            get { fields.text("contentType") }
            set { fields["contentType"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}
