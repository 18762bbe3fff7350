extension HAR {
    /// The program that made an archive, or the browser it was made with.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#creator
    public struct Creator: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a description of a program.
        ///
        /// - Parameters:
        ///   - name: The name of the program.
        ///   - version: The version of the program.
        public init(name: String, version: String) {
            fields = [:]
            self.name = name
            self.version = version
        }

        /// The name of the program.
        public var name: String {
            get { fields.text("name") ?? "" }
            set { fields["name"] = .string(JSONString(newValue)) }
        }

        /// The version of the program.
        public var version: String {
            get { fields.text("version") ?? "" }
            set { fields["version"] = .string(JSONString(newValue)) }
        }
    }
}
