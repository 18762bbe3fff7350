import HTTPArchive

extension Text {
    /// Reads all properties of an entry that HAR 1.2 defines.
    mutating func add(_ entry: HAR.Entry) {
        add(entry.pageref)
        add(entry.startedDateTime)
        add(entry.time)
        add(entry.request)
        add(entry.response)
        add(entry.cache.beforeRequest)
        add(entry.cache.afterRequest)
        add(entry.timings)
        add(entry.serverIPAddress)
        add(entry.connection)
    }

    private mutating func add(_ request: HAR.Request) {
        add(request.method)
        add(request.url)
        add(request.httpVersion)
        for cookie in request.cookies { add(cookie) }
        for header in request.headers { add(header) }
        for parameter in request.queryString {
            add(parameter.name)
            add(parameter.value)
        }
        if let data = request.postData { add(data) }
        add(request.headersSize)
        add(request.bodySize)
    }

    private mutating func add(_ response: HAR.Response) {
        add(response.status)
        add(response.statusText)
        add(response.httpVersion)
        for cookie in response.cookies { add(cookie) }
        for header in response.headers { add(header) }
        add(response.content)
        add(response.redirectURL)
        add(response.headersSize)
        add(response.bodySize)
    }

    private mutating func add(_ header: HAR.Header) {
        add(header.name)
        add(header.value)
    }

    private mutating func add(_ cookie: HAR.Cookie) {
        add(cookie.name)
        add(cookie.value)
        add(cookie.path)
        add(cookie.domain)
        add(cookie.expires)
        add(cookie.httpOnly)
        add(cookie.secure)
    }

    private mutating func add(_ data: HAR.PostData) {
        add(data.mimeType)
        add(data.text)
        for parameter in data.params ?? [] {
            add(parameter.name)
            add(parameter.value)
            add(parameter.fileName)
            add(parameter.contentType)
        }
    }

    private mutating func add(_ content: HAR.Content) {
        add(content.size)
        add(content.compression)
        add(content.mimeType)
        add(content.text)
        add(content.encoding)
    }

    private mutating func add(_ state: HAR.CacheState?) {
        guard let state else { return }
        add(state.expires)
        add(state.lastAccess)
        add(state.eTag)
        add(state.hitCount)
    }

    private mutating func add(_ timings: HAR.Timings) {
        let all = [
            timings.blocked, timings.dns, timings.connect, timings.send, timings.wait, timings.receive, timings.ssl,
        ]
        for time in all { add(time) }
    }
}
