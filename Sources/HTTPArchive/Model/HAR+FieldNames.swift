extension HAR {
    /// The names of all fields of HAR 1.2, which error messages may contain: other names may hold secrets.
    static let fieldNames: Set<String> = [
        "version", "creator", "browser", "pages", "entries", "comment", "name", "startedDateTime", "id", "title",
        "pageTimings", "onContentLoad", "onLoad", "pageref", "time", "request", "response", "cache", "timings",
        "serverIPAddress", "connection", "method", "url", "httpVersion", "cookies", "headers", "queryString",
        "postData", "headersSize", "bodySize", "status", "statusText", "content", "redirectURL", "value", "path",
        "domain", "expires", "httpOnly", "secure", "mimeType", "params", "text", "fileName", "contentType", "size",
        "compression", "encoding", "beforeRequest", "afterRequest", "lastAccess", "eTag", "hitCount", "blocked",
        "dns", "connect", "send", "wait", "receive", "ssl",
    ]
}
