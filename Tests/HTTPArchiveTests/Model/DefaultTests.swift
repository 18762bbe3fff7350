import Foundation
import HTTPArchive
import Testing

/// The values of properties whose fields are missing, null or of the wrong type.
@Suite(.limited) struct DefaultTests {
    /// Values of every JSON type, mostly invalid for any given field.
    private static let wrong: [JSONValue?] = [nil, .null, true, [], [[]], [1, nil, "x"], [:], "", "text", 17, -1, 1.5]

    /// Returns an entry with a value in every field, and one that also has the value in all fields one level deeper.
    private static func entries(_ value: JSONValue?) -> [HAR.Entry] {
        let names = [
            "pageref", "startedDateTime", "time", "request", "response", "cache", "timings", "serverIPAddress",
            "connection", "comment", "method", "url", "httpVersion", "cookies", "headers", "queryString", "postData",
            "headersSize", "bodySize", "status", "statusText", "content", "redirectURL", "size", "compression",
            "mimeType", "text", "encoding", "params", "beforeRequest", "afterRequest", "blocked", "dns", "connect",
            "send", "wait", "receive", "ssl", "name", "value",
        ]
        let object = JSONObject(
            members: value.map { value in names.map { .init(name: .init($0), value: value) } } ?? [])
        var nested = object
        for name in ["request", "response", "cache", "timings"] { nested[name] = .object(object) }
        return [HAR.Entry(fields: object), HAR.Entry(fields: nested)]
    }

    @Test(arguments: wrong)
    func `a value of the wrong type is read as the default in new and parsed objects`(value: JSONValue?) throws {
        for made in Self.entries(value) {
            let data = JSONValue.object(made.fields).data()
            for entry in [made, HAR.Entry(fields: try #require(JSONValue(parsing: data).object))] {
                let text = value?.text
                #expect(entry.pageref == text)
                #expect(entry.startedDateTime == text ?? "")
                #expect(entry.time == value?.double.flatMap { $0 < 0 ? nil : $0 })
                #expect(entry.serverIPAddress == text)
                #expect(entry.connection == text)
                #expect(entry.comment == text)
                #expect(entry.startedDate == nil)
                let isNested = entry["request"] != value
                guard isNested else {
                    #expect(entry.request.url.isEmpty)
                    #expect(entry.response.status == 0)
                    continue
                }
                #expect(entry.request.url == text ?? "")
                #expect(entry.request.method == text ?? "")
                #expect(entry.request.headers.isEmpty)
                #expect(entry.request.cookies.isEmpty)
                #expect(entry.request.postData?.text == nil)
                #expect(entry.request.bodySize == value?.int.flatMap { $0 < 0 ? nil : $0 })
                #expect(entry.response.status == value?.int ?? 0)
                #expect(entry.response.content.text == nil)
                #expect(entry.response.redirectURL == text ?? "")
                #expect(entry.cache.beforeRequest?.hitCount ?? 0 == 0)
                #expect(entry.timings.ssl == value?.double.flatMap { $0 < 0 ? nil : $0 })
            }
        }
    }

    @Test func `an empty object has the default for every property`() {
        let entry = HAR.Entry(fields: [:])
        #expect(entry.request.httpVersion.isEmpty)
        #expect(entry.request.queryString.isEmpty)
        #expect(entry.request.postData == nil)
        #expect(entry.request.headersSize == nil)
        #expect(entry.response.statusText.isEmpty)
        #expect(entry.response.content.size == nil)
        #expect(entry.response.content.compression == nil)
        #expect(entry.response.content.mimeType.isEmpty)
        #expect(entry.response.content.encoding == nil)
        #expect(entry.cache == HAR.Cache())
        #expect(entry.timings.fields == [:])
        #expect(HAR.PostData(fields: [:]).params == nil)
        #expect(HAR.Cookie(fields: [:]).httpOnly == nil)
        #expect(HAR.Cookie(fields: [:]).expiresDate == nil)
        #expect(HAR.Page(fields: [:]).pageTimings.onLoad == nil)
        #expect(HAR.CacheState(fields: [:]).lastAccess.isEmpty)
        #expect(HAR.Log(fields: [:]).version == "1.1")
    }

    @Test func `list elements that are not objects are skipped`() throws {
        let text = #"{"headers":[1,{"name":"a","value":"1"},null,[],{"name":7},"x",{}]}"#
        let request = HAR.Request(fields: try #require(JSONValue(parsing: text).object))
        #expect(request.headers.map(\.name) == ["a", "", ""])
        var changed = request
        changed.method = "GET"
        #expect(changed.headers.map(\.name) == ["a", "", ""])
    }

    @Test func `a negative number means unknown in any notation`() throws {
        for text in ["-1", "-1.0", "-1e0", "-2"] {
            let number = JSONValue.number(try #require(JSONNumber(text: text)))
            #expect(HAR.Response(fields: ["bodySize": number]).bodySize == nil)
            #expect(HAR.Timings(fields: ["dns": number]).dns == nil)
        }
        #expect(HAR.Response(fields: ["bodySize": .number(try #require(JSONNumber(text: "12.0")))]).bodySize == 12)
        #expect(HAR.Response(fields: ["status": -1]).status == -1)
        #expect(HAR.Content(fields: ["compression": -7]).compression == -7)
    }

    @Test func `the last of duplicate fields is read`() throws {
        let text = #"{"time":1,"request":{"url":"a"},"time":2,"request":{"url":"b"}}"#
        var entry = HAR.Entry(fields: try #require(JSONValue(parsing: text).object))
        for _ in 0..<2 {
            #expect(entry.time == 2)
            #expect(entry.request.url == "b")
            entry.comment = "changed"
        }
    }

    @Test func `a field with invalid text is read with replacement characters`() throws {
        let text = #"{"url":"a\ud800b","\u006dethod":"\u0047ET"}"#
        let request = HAR.Request(fields: try #require(JSONValue(parsing: text).object))
        #expect(request.url == "a\u{FFFD}b")
        #expect(request.method == "GET")
    }
}
