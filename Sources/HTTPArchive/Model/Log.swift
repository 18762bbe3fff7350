extension HAR {
    /// A whole archive in memory.
    ///
    /// To read large files entry by entry, use ``HARReader``.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#log
    public struct Log: HARObject {
        /// The object as JSON, including unknown fields, with an empty `entries` array that marks the position of the
        /// entries.
        public var fields: JSONObject

        /// The exchanges, in file order.
        public var entries: [Entry]

        /// The members of the document, with an empty `log` object that marks the position of the log.
        public var documentFields: JSONObject

        /// Creates a log from JSON, including its entries.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
            entries = fields.objects("entries", Entry.init(fields:)) ?? []
            documentFields = [:]
            if !entries.isEmpty { self.fields["entries"] = [] }
        }

        /// Creates a log.
        ///
        /// - Parameters:
        ///   - creator: The program that created the archive.
        ///   - browser: The browser that made the requests; `nil` by default.
        ///   - pages: The loaded pages; `nil` by default.
        ///   - entries: The entries; empty by default.
        public init(creator: Creator, browser: Browser? = nil, pages: [Page]? = nil, entries: [Entry] = []) {
            fields = ["version": "1.2", "creator": .object(creator.fields)]
            documentFields = [:]
            self.entries = entries
            self.browser = browser
            self.pages = pages
            fields["entries"] = []
        }

        /// The version of the format, or the specification's default, `1.1`, if it is missing.
        public var version: String {
            get { fields.text("version") ?? "1.1" }
            set { fields["version"] = .string(JSONString(newValue)) }
        }

        /// The program that created the archive, or `nil` if it is missing, which the specification does not allow.
        public var creator: Creator? {
            get { part("creator") }
            set { fields["creator"] = newValue.map { .object($0.fields) } }
        }

        /// The browser that made the requests, or `nil` if it is missing.
        public var browser: Browser? {
            get { part("browser") }
            set { fields["browser"] = newValue.map { .object($0.fields) } }
        }

        /// The loaded pages, or `nil` if they are missing.
        public var pages: [Page]? {
            get { list("pages") }
            set { fields["pages"] = newValue.map { .array($0.map { .object($0.fields) }) } }
        }
    }

    /// The program or browser that created an archive.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#creator
    public struct Creator: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
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

extension HAR.Creator {
    /// The creator of archives that this package writes.
    package static let relay = HAR.Creator(name: "Relay", version: "0.1.0")
}

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
