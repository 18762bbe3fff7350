extension HAR {
    /// When a page was ready, in milliseconds since it began to load.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#pageTimings
    public struct PageTimings: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a page's timings.
        ///
        /// - Parameters:
        ///   - onContentLoad: When the content was loaded, in milliseconds; `nil` by default.
        ///   - onLoad: When the page was loaded, in milliseconds; `nil` by default.
        public init(onContentLoad: Double? = nil, onLoad: Double? = nil) {
            fields = [:]
            self.onContentLoad = onContentLoad
            self.onLoad = onLoad
        }

        /// When the content was loaded, in milliseconds; `nil` when it is unknown (absent, null or -1).
        public var onContentLoad: Double? {
            get { milliseconds("onContentLoad") }
            set { fields["onContentLoad"] = .milliseconds(newValue) }
        }

        /// When the page was loaded, in milliseconds; `nil` when it is unknown (absent, null or -1).
        public var onLoad: Double? {
            get { milliseconds("onLoad") }
            set { fields["onLoad"] = .milliseconds(newValue) }
        }
    }
}
