extension HAR {
    /// How the time of an exchange was spent.
    ///
    /// Source: HAR 1.2, http://www.softwareishard.com/blog/har-12-spec/#timings
    public struct Timings: HARObject {
        /// The object as JSON, unknown fields included.
        public var fields: JSONObject

        /// Takes an object as JSON.
        ///
        /// - Parameter fields: The object; what it lacks reads as its default.
        public init(fields: JSONObject) {
            self.fields = fields
        }

        /// Creates a breakdown.
        ///
        /// - Parameters:
        ///   - blocked: Waiting for a connection, in milliseconds; `nil` by default.
        ///   - dns: Resolving the host name, in milliseconds; `nil` by default.
        ///   - connect: Opening the connection, TLS included, in milliseconds; `nil` by default.
        ///   - send: Sending the request, in milliseconds; 0 by default, as HAR requires it.
        ///   - wait: Waiting for the first byte of the answer, in milliseconds; 0 by default, as HAR requires it.
        ///   - receive: Receiving the answer, in milliseconds; 0 by default, as HAR requires it.
        ///   - ssl: Negotiating TLS, which is part of ``connect``, in milliseconds; `nil` by default.
        public init(
            blocked: Double? = nil, dns: Double? = nil, connect: Double? = nil, send: Double? = 0,
            wait: Double? = 0, receive: Double? = 0, ssl: Double? = nil
        ) {
            fields = [:]
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
        }

        /// Waiting for a connection, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var blocked: Double? {
            get { milliseconds("blocked") }
            set { fields["blocked"] = .milliseconds(newValue) }
        }

        /// Resolving the host name, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var dns: Double? {
            get { milliseconds("dns") }
            set { fields["dns"] = .milliseconds(newValue) }
        }

        /// Opening the connection, TLS included, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var connect: Double? {
            get { milliseconds("connect") }
            set { fields["connect"] = .milliseconds(newValue) }
        }

        /// Sending the request, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var send: Double? {
            get { milliseconds("send") }
            set { fields["send"] = .milliseconds(newValue) }
        }

        /// Waiting for the first byte of the answer, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var wait: Double? {
            get { milliseconds("wait") }
            set { fields["wait"] = .milliseconds(newValue) }
        }

        /// Receiving the answer, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative).
        public var receive: Double? {
            get { milliseconds("receive") }
            set { fields["receive"] = .milliseconds(newValue) }
        }

        /// Negotiating TLS, which is part of ``connect``, in milliseconds.
        ///
        /// `nil` when the phase does not apply or is unknown (absent, null or negative) HAR 1.2.
        public var ssl: Double? {
            get { milliseconds("ssl") }
            set { fields["ssl"] = .milliseconds(newValue) }
        }
    }
}
