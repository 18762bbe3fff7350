/// A column of `har table`, in the order of the table.
enum TableColumn: String, CaseIterable {
    case file
    case entryIndex = "entry_index"
    case pageID = "page_id"
    case pageTitle = "page_title"
    case started
    case finished
    case time = "time_ms"
    case method
    case url
    case scheme
    case host
    case port
    case path
    case query
    case status
    case statusText = "status_text"
    case httpVersion = "http_version"
    case requestType = "request_type"
    case requestBodyBytes = "request_body_bytes"
    case requestHeadersBytes = "request_headers_bytes"
    case responseType = "response_type"
    case responseCharset = "response_charset"
    case responseBodyBytes = "response_body_bytes"
    case responseReceivedBytes = "response_received_bytes"
    case transferBytes = "transfer_bytes"
    case fromCache = "from_cache"
    case redirectURL = "redirect_url"
    case serverAddress = "server_address"
    case connection
    case blocked = "blocked_ms"
    case dns = "dns_ms"
    case connect = "connect_ms"
    case ssl = "ssl_ms"
    case send = "send_ms"
    case wait = "wait_ms"
    case receive = "receive_ms"
    case resourceType = "resource_type"
    case error
    case requestHeaders = "request_headers"
    case responseHeaders = "response_headers"
    case requestBody = "request_body"
    case requestBodyEncoding = "request_body_encoding"
    case responseBody = "response_body"
    case responseBodyEncoding = "response_body_encoding"

    /// The type of the values in a column.
    enum ValueType {
        case text, integer, number, boolean, timestamp, map
    }

    /// The type of the values.
    var type: ValueType {
        switch self {
        case .entryIndex, .port, .status, .requestBodyBytes, .requestHeadersBytes, .responseBodyBytes,
            .responseReceivedBytes, .transferBytes:
            .integer
        case .time, .blocked, .dns, .connect, .ssl, .send, .wait, .receive: .number
        case .fromCache: .boolean
        case .started, .finished: .timestamp
        case .requestHeaders, .responseHeaders: .map
        default: .text
        }
    }

    /// The columns that are in the table only if they are requested, because bodies are large.
    static let bodies: [TableColumn] = [.requestBody, .requestBodyEncoding, .responseBody, .responseBodyEncoding]

    /// All other columns.
    static let standard = allCases.filter { !bodies.contains($0) }
}
