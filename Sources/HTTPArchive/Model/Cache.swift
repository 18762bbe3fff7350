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

extension HAR {
    /// The state of one cached answer.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#cache
    public struct CacheState: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a cache state.
        ///
        /// - Parameters:
        ///   - expires: When it expires, as text; `nil` by default.
        ///   - lastAccess: When it was last used, as text.
        ///   - eTag: The entity tag.
        ///   - hitCount: How often it was used.
        public init(expires: String? = nil, lastAccess: String, eTag: String, hitCount: Int) {
            fields = [:]
            if let expires { self.expires = expires }
            self.lastAccess = lastAccess
            self.eTag = eTag
            self.hitCount = hitCount
        }

        /// When it expires, as text; `nil` when it does not or when it is unknown.
        public var expires: String? {
            get { fields.text("expires") }
            set { fields["expires"] = newValue.map { .string(JSONString($0)) } }
        }

        /// When it was last used, as text.
        public var lastAccess: String {
            get { fields.text("lastAccess") ?? "" }
            set { fields["lastAccess"] = .string(JSONString(newValue)) }
        }

        /// The entity tag.
        public var eTag: String {
            get { fields.text("eTag") ?? "" }
            set { fields["eTag"] = .string(JSONString(newValue)) }
        }

        /// How often it was used; 0 when it is absent.
        public var hitCount: Int {
            get { fields.int("hitCount") ?? 0 }
            set { fields["hitCount"] = .number(JSONNumber(newValue)) }
        }
    }
}
