extension HAR {
    /// The body of a response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#content
    public struct Content: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a response body.
        ///
        /// - Parameters:
        ///   - size: The number of bytes once content codings are removed.
        ///   - mimeType: The media type, with its parameters.
        ///   - text: The body as text, or as ``encoding`` says; `nil` by default.
        ///   - encoding: How ``text`` is encoded, such as `base64`; `nil` by default.
        public init(size: Int?, mimeType: String, text: String? = nil, encoding: String? = nil) {
            fields = [:]
            self.size = size
            self.mimeType = mimeType
            if let text { self.text = text }
            if let encoding { self.encoding = encoding }
        }

        /// The number of bytes once content codings are removed; `nil` when it is unknown (absent, null or -1).
        public var size: Int? {
            get { size("size") }
            set { fields["size"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The number of bytes saved by a content coding; `nil` when it is unknown.
        public var compression: Int? {
            get { fields.int("compression") }
            set { fields["compression"] = newValue.map { .number(JSONNumber($0)) } }
        }

        /// The media type, with its parameters; empty when it is unknown.
        public var mimeType: String {
            get { fields.text("mimeType") ?? "" }
            set { fields["mimeType"] = .string(JSONString(newValue)) }
        }

        /// The body as text, or as ``encoding`` says; `nil` when it was not captured.
        public var text: String? {
            get { fields.text("text") }
            set { fields["text"] = newValue.map { .string(JSONString($0)) } }
        }

        /// How ``text`` is encoded, such as `base64`; `nil` for plain text.
        ///
        /// Since HAR 1.2.
        public var encoding: String? {
            get { fields.text("encoding") }
            set { fields["encoding"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}
