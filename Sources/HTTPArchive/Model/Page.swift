extension HAR {
    /// A page that was loaded.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#pages
    public struct Page: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a page.
        ///
        /// - Parameters:
        ///   - startedDateTime: When the page began to load, as ISO 8601 text.
        ///   - id: The identifier that entries refer to with ``HAR/Entry/pageref``.
        ///   - title: The title of the page.
        ///   - pageTimings: When the page was ready; empty by default.
        public init(startedDateTime: String, id: String, title: String, pageTimings: PageTimings = PageTimings()) {
            fields = [:]
            self.startedDateTime = startedDateTime
            self.id = id
            self.title = title
            self.pageTimings = pageTimings
        }

        /// When the page began to load, as ISO 8601 text; empty when it is missing.
        public var startedDateTime: String {
            get { fields.text("startedDateTime") ?? "" }
            set { fields["startedDateTime"] = .string(JSONString(newValue)) }
        }

        /// The identifier that entries refer to with ``HAR/Entry/pageref``.
        public var id: String {
            get { fields.text("id") ?? "" }
            set { fields["id"] = .string(JSONString(newValue)) }
        }

        /// The title of the page; many tools write its URL.
        public var title: String {
            get { fields.text("title") ?? "" }
            set { fields["title"] = .string(JSONString(newValue)) }
        }

        /// When the page was ready.
        public var pageTimings: PageTimings {
            get { part("pageTimings") ?? PageTimings(fields: [:]) }
            set { fields["pageTimings"] = .object(newValue.fields) }
        }
    }
}

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
