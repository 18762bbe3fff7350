import HTTPArchive

extension HAR.Entry {
    /// Returns an entry for a test.
    ///
    /// - Parameters:
    ///   - method: The method; `GET` by default.
    ///   - url: The URL.
    ///   - requestHeaders: The header fields of the request; none by default.
    ///   - status: The status; 200 by default.
    ///   - headers: The header fields of the response; none by default.
    ///   - body: The text of the response body; `nil` for a body that was not captured.
    ///   - type: The media type; plain text by default.
    /// - Returns: An entry from January 1, 2026, that took 12.25 ms.
    static func sample(
        _ method: String = "GET", _ url: String, requestHeaders: [HAR.Header] = [], status: Int = 200,
        headers: [HAR.Header] = [], body: String? = "", type: String = "text/plain"
    ) -> HAR.Entry {
        HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", time: 12.25,
            request: HAR.Request(method: method, url: url, headers: requestHeaders, bodySize: 0),
            response: HAR.Response(
                status: status, statusText: "", headers: headers,
                content: HAR.Content(size: body?.utf8.count ?? 42, mimeType: type, text: body),
                bodySize: body?.utf8.count),
            timings: HAR.Timings(send: 0, wait: 12.25, receive: 0))
    }
}

extension HAR.Log {
    /// Returns a log with the given entries.
    static func sample(_ entries: HAR.Entry...) -> HAR.Log {
        HAR.Log(creator: HAR.Creator(name: "Tests", version: "1.0"), entries: entries)
    }

    /// A small shop: a page, its data, a form, a picture, a failure, and entries that cannot be replayed.
    static var shop: HAR.Log {
        var picture = HAR.Entry.sample("GET", "https://cdn.test/a.png", body: "iVBORw0K", type: "image/png")
        picture.response.content.encoding = "base64"
        picture.response.content.size = 6
        var failed = HAR.Entry.sample("GET", "https://shop.test/gone", status: 0)
        failed.response["_error"] = "net::ERR_CONNECTION_REFUSED"
        var posted = HAR.Entry.sample("POST", "https://shop.test/cart", status: 303)
        posted.request.postData = HAR.PostData(mimeType: "text/plain", text: "item=1")
        posted.response.redirectURL = "/"
        let page = HAR.Header(name: "Content-Type", value: "text/html; charset=utf-8")
        var log = sample(
            .sample("GET", "https://shop.test/", headers: [page], body: "<h1>Grüße</h1>", type: "text/html"),
            posted, picture,
            .sample("GET", "https://shop.test/", headers: [page], body: "<h1>1 item</h1>", type: "text/html"),
            failed,
            .sample("GET", "https://shop.test/film", body: nil, type: "video/mp4"),
            .sample("GET", "data:text/plain,x", body: "x"))
        log.browser = HAR.Browser(name: "Browser", version: "7")
        log.pages = [
            HAR.Page(
                startedDateTime: "2026-01-01T12:00:00.000Z", id: "page_1", title: "Shop",
                pageTimings: HAR.PageTimings(onLoad: 250))
        ]
        return log
    }
}
