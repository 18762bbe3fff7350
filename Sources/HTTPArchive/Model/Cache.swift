extension HAR {
    /// The state of a cache before and after a request.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cache
    public struct Cache: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates an object without cache states.
        public init() {
            fields = [:]
        }

        /// The state before the request, or `nil` if it is unknown.
        public var beforeRequest: CacheState? {
            get { part("beforeRequest") }
            set { fields["beforeRequest"] = newValue.map { .object($0.fields) } }
        }

        /// The state after the request, or `nil` if it is unknown.
        public var afterRequest: CacheState? {
            get { part("afterRequest") }
            set { fields["afterRequest"] = newValue.map { .object($0.fields) } }
        }
    }
}

extension HAR {
    /// The state of a cached response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cache
    public struct CacheState: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a cache state.
        ///
        /// - Parameters:
        ///   - expires: The expiration time, as text; `nil` by default.
        ///   - lastAccess: The time of the last access, as text.
        ///   - eTag: The entity tag.
        ///   - hitCount: The number of cache hits.
        public init(expires: String? = nil, lastAccess: String, eTag: String, hitCount: Int) {
            fields = [:]
            if let expires { self.expires = expires }
            self.lastAccess = lastAccess
            self.eTag = eTag
            self.hitCount = hitCount
        }

        /// The expiration time, as text, or `nil` if the response does not expire or the time is unknown.
        public var expires: String? {
            get { fields.text("expires") }
            set { fields["expires"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The time of the last access, as text.
        public var lastAccess: String {
            get { fields.text("lastAccess") ?? "" }
            set { fields["lastAccess"] = .string(JSONString(newValue)) }
        }

        /// The entity tag.
        public var eTag: String {
            get { fields.text("eTag") ?? "" }
            set { fields["eTag"] = .string(JSONString(newValue)) }
        }

        /// The number of cache hits; 0 if it is missing.
        public var hitCount: Int {
            get { fields.int("hitCount") ?? 0 }
            set { fields["hitCount"] = .number(JSONNumber(newValue)) }
        }
    }
}
