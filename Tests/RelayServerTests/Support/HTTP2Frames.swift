#if Server
    /// Frames of HTTP/2, as text for a ``RawClient``.
    ///
    /// All bytes are ASCII, so frames have at most 127 bytes, and streams have the numbers that ``streams`` returns.
    enum HTTP2Frames {
        /// The preface of a connection, with empty settings.
        static let preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(type: 4)

        /// The frame SETTINGS that closes the windows of all streams.
        static let closedWindow = frame(type: 4, 0, "\0\u{4}\0\0\0\0")

        /// The last frame of a connection that is closed with the error `ENHANCE_YOUR_CALM`.
        static let enhanceYourCalm = frame(type: 7, 0, "\0\0\0\0\0\0\0\u{B}")

        /// Returns numbers of streams.
        static func streams(_ count: Int) -> [Int] { (0..<count).map { $0 / 64 * 256 + $0 % 64 * 2 + 1 } }

        /// Returns the frame HEADERS of a request.
        ///
        /// - Parameters:
        ///   - stream: The number of the stream.
        ///   - method: The method; GET by default.
        ///   - path: The path of the URL.
        ///   - authority: The host; `a` by default.
        ///   - length: The value of `Content-Length`; nil (the default) for none.
        ///   - isComplete: Whether the request has no body; `true` by default.
        ///   - isWhole: Whether no frame CONTINUATION follows; `true` by default.
        /// - Returns: The frame.
        static func head(
            _ stream: Int, method: String = "GET", path: String, authority: String = "a", length: String? = nil,
            isComplete: Bool = true, isWhole: Bool = true
        ) -> String {
            let fields =
                [(":method", method), (":scheme", "http"), (":authority", authority), (":path", path)]
                + (length.map { [("content-length", $0)] } ?? [])
            // Literal fields that are not indexed.
            let text = fields.map { "\0\(string($0))\(string($1))" }.joined()
            return frame(type: 1, flags: (isComplete ? 1 : 0) + (isWhole ? 4 : 0), stream, text)
        }

        /// Returns the frame DATA of a body that continues, or ends.
        static func data(_ stream: Int, _ text: String, isLast: Bool = false) -> String {
            frame(type: 0, flags: isLast ? 1 : 0, stream, text)
        }

        /// Returns the frame RST_STREAM with the error `CANCEL`.
        static func reset(_ stream: Int) -> String { frame(type: 3, stream, "\0\0\0\u{8}") }

        private static func frame(type: Int, flags: Int = 0, _ stream: Int = 0, _ payload: String = "") -> String {
            "\0\0" + byte(payload.utf8.count) + byte(type) + byte(flags) + "\0\0" + byte(stream >> 8)
                + byte(stream & 255) + payload
        }

        private static func string(_ text: String) -> String { byte(text.utf8.count) + text }

        private static func byte(_ value: Int) -> String {
            precondition(value < 128)
            return String(decoding: [UInt8(value)], as: UTF8.self)
        }
    }
#endif
