extension HAR {
    /// The body of a response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#content
    public struct Content: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a response body.
        ///
        /// - Parameters:
        ///   - size: The size of the body after content decoding, in bytes.
        ///   - mimeType: The media type, with its parameters.
        ///   - text: The body as text, encoded as ``encoding`` specifies; `nil` by default.
        ///   - encoding: The encoding of ``text``, such as `base64`; `nil` by default.
        public init(size: Int?, mimeType: String, text: String? = nil, encoding: String? = nil) {
            fields = [:]
            self.size = size
            self.mimeType = mimeType
            if let text { self.text = text }
            if let encoding { self.encoding = encoding }
        }

        /// The size of the body after content decoding, in bytes, or `nil` if it is unknown (missing, null or
        /// negative).
        public var size: Int? {
            get { size("size") }
            set { fields["size"] = .number(JSONNumber(newValue ?? -1)) }
        }

        /// The number of bytes saved by compression, or `nil` if it is unknown.
        public var compression: Int? {
            get { fields.int("compression") }
            set { fields["compression"] = newValue.map { .number(JSONNumber($0)) } }
        }

        /// The media type, with its parameters; empty if it is unknown.
        public var mimeType: String {
            get { fields.text("mimeType") ?? "" }
            set { fields["mimeType"] = .string(JSONString(newValue)) }
        }

        /// The body as text, encoded as ``encoding`` specifies, or `nil` if the body was not captured.
        public var text: String? {
            get { fields.text("text") }
            set { fields["text"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The same content with its fields decoded, for several readers of a long text.
        package var decoded: Content { Content(fields: fields.decoded(depth: 1)) }

        /// The encoding of ``text``, such as `base64`, or `nil` for plain text.
        ///
        /// Since HAR 1.2.
        public var encoding: String? {
            get { fields.text("encoding") }
            set { fields["encoding"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}
