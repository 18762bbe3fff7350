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
            fields = [:]
            self.blocked = blocked
            self.dns = dns
            self.connect = connect
            self.send = send
            self.wait = wait
            self.receive = receive
            self.ssl = ssl
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
}
