extension HAR {
    /// The body of a request.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#postData
    public struct PostData: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a request body.
        ///
        /// - Parameters:
        ///   - mimeType: The media type, with its parameters.
        ///   - params: The fields of a form; `nil` by default.
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

        /// The fields of a form; `nil` when they are not given.
        public var params: [Parameter]? {
            get { list("params") }
            set { fields["params"] = newValue.map { .array($0.map { .object($0.fields) }) } }
        }

        /// The body as text; `nil` when it is not given.
        public var text: String? {
            get { fields.text("text") }
            set { fields["text"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}
