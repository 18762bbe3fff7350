extension HAR {
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
            if let params { self.params = params }
            if let text { self.text = text }
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
}

extension HAR {
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
            if let value { self.value = value }
            if let fileName { self.fileName = fileName }
            if let contentType { self.contentType = contentType }
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
