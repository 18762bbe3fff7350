extension HAR {
    /// An exchange: a request and its response.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#entries
    public struct Entry: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - startedDateTime: The start time of the request, as ISO 8601 text.
        ///   - time: The duration of the exchange, in milliseconds; 0 by default, because HAR requires a value.
        ///   - request: The request.
        ///   - response: The response.
        ///   - cache: The state of the cache; empty by default.
        ///   - timings: The duration of each phase; empty by default.
        public init(
            startedDateTime: String, time: Double? = 0, request: Request, response: Response, cache: Cache = Cache(),
            timings: Timings = Timings()
        ) {
            fields = [:]
            self.startedDateTime = startedDateTime
            self.time = time
            self.request = request
            self.response = response
            self.cache = cache
            self.timings = timings
        }

        /// The identifier of the page that the request belongs to, or `nil` if it does not belong to a page.
        public var pageref: String? {
            get { fields.text("pageref") }
            set { fields["pageref"] = newValue.map { .string(JSONString($0)) } }
        }

        /// The start time of the request, as ISO 8601 text; empty if it is missing.
        public var startedDateTime: String {
            get { fields.text("startedDateTime") ?? "" }
            set { fields["startedDateTime"] = .string(JSONString(newValue)) }
        }

        /// The duration of the exchange in milliseconds, or `nil` if it is unknown (missing, null or negative).
        public var time: Double? {
            get { milliseconds("time") }
            set { fields["time"] = .milliseconds(newValue) }
        }

        /// The request; empty if it is missing.
        public var request: Request {
            get { part("request") ?? Request(fields: [:]) }
            set { fields["request"] = .object(newValue.fields) }
        }

        /// The response; empty if it is missing.
        public var response: Response {
            get { part("response") ?? Response(fields: [:]) }
            set { fields["response"] = .object(newValue.fields) }
        }

        /// The state of the cache; empty if it is missing.
        public var cache: Cache {
            get { part("cache") ?? Cache(fields: [:]) }
            set { fields["cache"] = .object(newValue.fields) }
        }

        /// The duration of each phase of the exchange; empty if it is missing.
        public var timings: Timings {
            get { part("timings") ?? Timings(fields: [:]) }
            set { fields["timings"] = .object(newValue.fields) }
        }

        /// The IP address of the server, or `nil` if it is unknown.
        ///
        /// Since HAR 1.2.
        public var serverIPAddress: String? {
            get { fields.text("serverIPAddress") }
            set { fields["serverIPAddress"] = newValue.map { .string(JSONString($0)) } }
        }

        /// An identifier for the connection, or `nil` if it is unknown.
        ///
        /// Since HAR 1.2.
        public var connection: String? {
            get { fields.text("connection") }
            set { fields["connection"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}

extension HAR.Entry {
    /// The reason the request failed, or `nil` if the request succeeded.
    ///
    /// HAR has no field for the reason. Browsers write `_error`, and Playwright writes `_failureText`. Without either,
    /// the reason is the status if it is 0 or negative.
    public var failure: String? {
        failureText ?? (response.status <= 0 ? "status \(response.status)" : nil)
    }

    /// Whether the browser took the response from its cache without a request.
    ///
    /// HAR has no field for this. Chromium writes `_fromCache`, with the name of the cache.
    public var isFromCache: Bool {
        switch self["_fromCache"] {
        case .string(let name): !name.text.isEmpty
        case .bool(let value): value
        default: false
        }
    }

    /// The recorded text that explains why the request failed, or `nil` if the text is missing.
    package var failureText: String? {
        let response = response
        // For these statuses, browsers record the navigation as aborted even though the response is complete.
        if [204, 205, 304].contains(response.status) { return nil }
        let fields = [response["_error"], self["_error"], response["_failureText"]]
        return fields.lazy.compactMap { $0?.text }.first { !$0.isEmpty }
    }
}
