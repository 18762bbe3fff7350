extension HAR {
    /// A loaded page.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#pages
    public struct Page: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a page.
        ///
        /// - Parameters:
        ///   - startedDateTime: The time at which the page started loading, as ISO 8601 text.
        ///   - id: The identifier that ``HAR/Entry/pageref`` refers to.
        ///   - title: The title of the page.
        ///   - pageTimings: The load times; empty by default.
        public init(startedDateTime: String, id: String, title: String, pageTimings: PageTimings = PageTimings()) {
            fields = [:]
            self.startedDateTime = startedDateTime
            self.id = id
            self.title = title
            self.pageTimings = pageTimings
        }

        /// The time at which the page started loading, as ISO 8601 text; empty if it is missing.
        public var startedDateTime: String {
            get { fields.text("startedDateTime") ?? "" }
            set { fields["startedDateTime"] = .string(JSONString(newValue)) }
        }

        /// The identifier that ``HAR/Entry/pageref`` refers to.
        public var id: String {
            get { fields.text("id") ?? "" }
            set { fields["id"] = .string(JSONString(newValue)) }
        }

        /// The title of the page, or its URL in archives from many tools.
        public var title: String {
            get { fields.text("title") ?? "" }
            set { fields["title"] = .string(JSONString(newValue)) }
        }

        /// The load times of the page.
        public var pageTimings: PageTimings {
            get { part("pageTimings") ?? PageTimings(fields: [:]) }
            set { fields["pageTimings"] = .object(newValue.fields) }
        }
    }

    /// The load times of a page, in milliseconds from the start of loading.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#pageTimings
    public struct PageTimings: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates the load times of a page.
        ///
        /// - Parameters:
        ///   - onContentLoad: The time at which the content was loaded, in milliseconds; `nil` by default.
        ///   - onLoad: The time at which the page was loaded, in milliseconds; `nil` by default.
        public init(onContentLoad: Double? = nil, onLoad: Double? = nil) {
            fields = [:]
            self.onContentLoad = onContentLoad
            self.onLoad = onLoad
        }

        /// The time at which the content was loaded, in milliseconds, or `nil` if it is unknown (missing, null or
        /// negative).
        public var onContentLoad: Double? {
            get { milliseconds("onContentLoad") }
            set { fields["onContentLoad"] = .milliseconds(newValue) }
        }

        /// The time at which the page was loaded, in milliseconds, or `nil` if it is unknown (missing, null or
        /// negative).
        public var onLoad: Double? {
            get { milliseconds("onLoad") }
            set { fields["onLoad"] = .milliseconds(newValue) }
        }
    }
}
