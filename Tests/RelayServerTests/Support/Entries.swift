#if Server
    import Foundation
    import HTTPArchive
    import RelayCore

    extension HAR.Entry {
        /// Creates an entry from the parts of its request and response that a test sets.
        static func entry(
            _ method: String = "GET", _ url: String = "https://shop.example/", status: Int = 200,
            headers: [(String, String)] = [], text: String? = "", sent: String? = nil, receive: Double? = nil
        ) -> HAR.Entry {
            let content = HAR.Content(size: text?.utf8.count ?? 7, mimeType: "text/plain", text: text)
            let data = sent.map { HAR.PostData(mimeType: "text/plain", text: $0) }
            var timings = HAR.Timings()
            timings.receive = receive
            return HAR.Entry(
                startedDateTime: "2026-01-01T00:00:00.000Z",
                request: HAR.Request(method: method, url: url, postData: data),
                response: HAR.Response(
                    status: status, statusText: "S", headers: headers.map { HAR.Header(name: $0, value: $1) },
                    content: content),
                timings: timings)
        }

        /// Creates an entry without a complete response.
        static func failed(_ url: String, _ error: String, received: String? = nil, length: Int = 0) -> HAR.Entry {
            var entry = entry(
                url: url, status: received == nil ? 0 : 200,
                headers: received == nil ? [] : [("Content-Length", "\(length)")], text: received)
            entry.response["_error"] = .string(JSONString(error))
            return entry
        }

        private static func entry(
            url: String, status: Int, headers: [(String, String)], text: String?
        ) -> HAR.Entry { entry("GET", url, status: status, headers: headers, text: text) }
    }

    extension Interceptor {
        /// The interceptor of most tests.
        static func shop(configuration: Configuration = Configuration()) -> Interceptor {
            Interceptor(
                entries: [
                    .entry("GET", "https://shop.example/", headers: [("Content-Type", "text/plain")], text: "home"),
                    .entry("POST", "https://shop.example/items", status: 201, text: "created", sent: "ab"),
                    .entry("OPTIONS", "https://shop.example", text: "options"),
                    .entry("GET", "http://other.example/", text: "other"),
                ], name: "shop.har", configuration: configuration)
        }
    }
#endif
