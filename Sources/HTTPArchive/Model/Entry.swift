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
            fields = JSONObject(members: [
                .init(name: "startedDateTime", value: .string(JSONString(startedDateTime))),
                .init(name: "time", value: .milliseconds(time)),
                .init(name: "request", value: .object(request.fields)),
                .init(name: "response", value: .object(response.fields)),
                .init(name: "cache", value: .object(cache.fields)),
                .init(name: "timings", value: .object(timings.fields)),
            ])
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

    /// The reason why the entry is not replayed although it is valid, and what to do instead, or `nil` for other entries.
    package var unreplayedReason: String? {
        if let reason = request.unreplayedReason { return reason }
        guard case let status = response.status, 100..<200 ~= status, failureText == nil else { return nil }
        return status == 101
            ? """
            The status 101 switches to another protocol, such as WebSocket, which only `har serve` replays. Show the \
            messages with `har show`, or stub the request.
            """
            : """
            The status \(status) is informational, and the entry has no final response. Capture the final response, or \
            stub the request.
            """
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

extension HAR {
    /// The duration of each phase of an exchange.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#timings
    public struct Timings: HARObject {
        /// The object as JSON, including unknown fields.
        public var fields: JSONObject

        /// Creates an object from JSON.
        ///
        /// - Parameter fields: The JSON object; properties of missing fields return their defaults.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates the timings of an exchange.
        ///
        /// - Parameters:
        ///   - blocked: The time spent waiting for a connection, in milliseconds; `nil` by default.
        ///   - dns: The time to resolve the host name, in milliseconds; `nil` by default.
        ///   - connect: The time to open the connection, including TLS, in milliseconds; `nil` by default.
        ///   - send: The time to send the request, in milliseconds; 0 by default, because HAR requires a value.
        ///   - wait: The time spent waiting for the first byte of the response, in milliseconds; 0 by default, because
        ///     HAR requires a value.
        ///   - receive: The time to receive the response, in milliseconds; 0 by default, because HAR requires a value.
        ///   - ssl: The time of the TLS handshake, which is part of ``connect``, in milliseconds; `nil` by default.
        public init(
            blocked: Double? = nil, dns: Double? = nil, connect: Double? = nil, send: Double? = 0,
            wait: Double? = 0, receive: Double? = 0, ssl: Double? = nil
        ) {
            fields = JSONObject(members: [
                .init(name: "blocked", value: .milliseconds(blocked)), .init(name: "dns", value: .milliseconds(dns)),
                .init(name: "connect", value: .milliseconds(connect)), .init(name: "send", value: .milliseconds(send)),
                .init(name: "wait", value: .milliseconds(wait)), .init(name: "receive", value: .milliseconds(receive)),
                .init(name: "ssl", value: .milliseconds(ssl)),
            ])
        }

        /// The time spent waiting for a connection, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var blocked: Double? {
            get { milliseconds("blocked") }
            set { fields["blocked"] = .milliseconds(newValue) }
        }

        /// The time to resolve the host name, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var dns: Double? {
            get { milliseconds("dns") }
            set { fields["dns"] = .milliseconds(newValue) }
        }

        /// The time to open the connection, including TLS, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var connect: Double? {
            get { milliseconds("connect") }
            set { fields["connect"] = .milliseconds(newValue) }
        }

        /// The time to send the request, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var send: Double? {
            get { milliseconds("send") }
            set { fields["send"] = .milliseconds(newValue) }
        }

        /// The time spent waiting for the first byte of the response, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var wait: Double? {
            get { milliseconds("wait") }
            set { fields["wait"] = .milliseconds(newValue) }
        }

        /// The time to receive the response, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative).
        public var receive: Double? {
            get { milliseconds("receive") }
            set { fields["receive"] = .milliseconds(newValue) }
        }

        /// The time of the TLS handshake, which is part of ``connect``, in milliseconds.
        ///
        /// The value is `nil` if the phase does not apply or its duration is unknown (missing, null or negative). Since
        /// HAR 1.2.
        public var ssl: Double? {
            get { milliseconds("ssl") }
            set { fields["ssl"] = .milliseconds(newValue) }
        }
    }

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
            self.expires = expires
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
