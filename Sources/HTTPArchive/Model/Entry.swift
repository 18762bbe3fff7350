extension HAR {
    /// One exchange: a request and what came back.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#entries
    public struct Entry: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates an entry.
        ///
        /// - Parameters:
        ///   - startedDateTime: When the request began, as ISO 8601 text.
        ///   - time: The time of the exchange, in milliseconds; 0 by default, as HAR requires it.
        ///   - request: What was asked.
        ///   - response: What was answered.
        ///   - cache: What a cache held; empty by default.
        ///   - timings: How the time was spent; empty by default.
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

        /// The identifier of the page that the request belongs to; `nil` when it belongs to none.
        public var pageref: String? {
            get { fields.text("pageref") }
            set { fields["pageref"] = newValue.map { .string(JSONString($0)) } }
        }

        /// When the request began, as ISO 8601 text; empty when it is missing.
        public var startedDateTime: String {
            get { fields.text("startedDateTime") ?? "" }
            set { fields["startedDateTime"] = .string(JSONString(newValue)) }
        }

        /// The time of the exchange in milliseconds; `nil` when it is unknown (absent, null or negative).
        public var time: Double? {
            get { milliseconds("time") }
            set { fields["time"] = .milliseconds(newValue) }
        }

        /// What was asked.
        public var request: Request {
            get { part("request") ?? Request(fields: [:]) }
            set { fields["request"] = .object(newValue.fields) }
        }

        /// What was answered.
        public var response: Response {
            get { part("response") ?? Response(fields: [:]) }
            set { fields["response"] = .object(newValue.fields) }
        }

        /// What a cache held; empty by default.
        public var cache: Cache {
            get { part("cache") ?? Cache(fields: [:]) }
            set { fields["cache"] = .object(newValue.fields) }
        }

        /// How the time was spent.
        public var timings: Timings {
            get { part("timings") ?? Timings(fields: [:]) }
            set { fields["timings"] = .object(newValue.fields) }
        }

        /// The address of the server; `nil` when it is unknown.
        ///
        /// Since HAR 1.2.
        public var serverIPAddress: String? {
            get { fields.text("serverIPAddress") }
            set { fields["serverIPAddress"] = newValue.map { .string(JSONString($0)) } }
        }

        /// An identifier of the connection; `nil` when it is unknown.
        ///
        /// Since HAR 1.2.
        public var connection: String? {
            get { fields.text("connection") }
            set { fields["connection"] = newValue.map { .string(JSONString($0)) } }
        }
    }
}

extension HAR.Entry {
    /// Why the request was not answered, in the words of the tool that recorded it; `nil` when it was answered.
    ///
    /// HAR has no field for it: browsers write `_error`, Playwright `_failureText`, and others a status of 0 alone.
    public var failure: String? {
        let response = response
        let fields = [response["_error"], self["_error"], response["_failureText"]]
        let text = fields.lazy.compactMap { $0?.text }.first { !$0.isEmpty }
        // Browsers call a navigation aborted that 204 answered: nothing of the answer is missing.
        if [204, 205, 304].contains(response.status) { return nil }
        return text ?? (response.status <= 0 ? "status \(response.status)" : nil)
    }
}
