extension HAR {
    /// A whole archive in memory.
    ///
    /// For files that may be large, read entry by entry with ``HARReader``.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#log
    public struct Log: HARObject {
        /// The object as JSON, unknown fields included; its `entries` is an empty array that keeps their place.
        public var fields: JSONObject

        /// The exchanges, in the order of the file.
        public var entries: [Entry]

        /// What stands beside `log` in the document; its `log` is an empty object that keeps the place.
        public var documentFields: JSONObject

        /// Takes a log as JSON, its entries included.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
            entries = fields.objects("entries", Entry.init(fields:)) ?? []
            documentFields = [:]
            if !entries.isEmpty { self.fields["entries"] = [] }
        }

        /// Creates a log.
        ///
        /// - Parameters:
        ///   - creator: The program that makes the archive.
        ///   - browser: The browser that made the requests; `nil` by default.
        ///   - pages: The pages that were loaded; `nil` by default.
        ///   - entries: The exchanges; none by default.
        public init(creator: Creator, browser: Browser? = nil, pages: [Page]? = nil, entries: [Entry] = []) {
            fields = ["version": "1.2", "creator": .object(creator.fields)]
            documentFields = [:]
            self.entries = entries
            self.browser = browser
            self.pages = pages
            fields["entries"] = []
        }

        /// The version of the format; `1.1`, which the specification names as the default, when it is missing.
        public var version: String {
            get { fields.text("version") ?? "1.1" }
            set { fields["version"] = .string(JSONString(newValue)) }
        }

        /// The program that made the archive; `nil` when it is missing, against the specification.
        public var creator: Creator? {
            get { part("creator") }
            set { fields["creator"] = newValue.map { .object($0.fields) } }
        }

        /// The browser that made the requests; `nil` when it is not given.
        public var browser: Browser? {
            get { part("browser") }
            set { fields["browser"] = newValue.map { .object($0.fields) } }
        }

        /// The pages that were loaded; `nil` when the tool has no pages.
        public var pages: [Page]? {
            get { list("pages") }
            set { fields["pages"] = newValue.map { .array($0.map { .object($0.fields) }) } }
        }
    }
}

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

extension HAR.Creator {
    /// This package, as the creator of the archives that it makes.
    package static let relay = HAR.Creator(name: "Relay", version: "0.1.0")
}
