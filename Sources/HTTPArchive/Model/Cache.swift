extension HAR {
    /// What a cache held before and after a request.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cache
    public struct Cache: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a cache description.
        public init() {
            fields = [:]
        }

        /// The state before the request; `nil` when it is unknown.
        public var beforeRequest: CacheState? {
            get { part("beforeRequest") }
            set { fields["beforeRequest"] = newValue.map { .object($0.fields) } }
        }

        /// The state after the request; `nil` when it is unknown.
        public var afterRequest: CacheState? {
            get { part("afterRequest") }
            set { fields["afterRequest"] = newValue.map { .object($0.fields) } }
        }
    }
}
