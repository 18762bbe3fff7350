import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct SetterTests {
    private func entry() throws -> HAR.Entry {
        try #require(HAR.Log(data: Data(FullArchive.text.utf8)).entries.first)
    }

    /// Returns the names of the members in which two objects differ.
    private func differences(_ first: JSONObject, _ second: JSONObject) -> [String] {
        let names = (first.members + second.members).map(\.name.text)
        return Set(names).filter { first[$0] != second[$0] }.sorted()
    }

    @Test func `setting a property changes only its field and keeps the order`() throws {
        let original = try entry()
        var changed = original
        changed.request.method = "PUT"
        #expect(changed.request.method == "PUT")
        #expect(differences(changed.fields, original.fields) == ["request"])
        #expect(differences(changed.request.fields, original.request.fields) == ["method"])
        #expect(changed.fields.members.map(\.name) == original.fields.members.map(\.name))
        #expect(changed.request.fields.members.map(\.name) == original.request.fields.members.map(\.name))
        #expect(changed.response.fields.byteRange == original.response.fields.byteRange)
    }

    @Test func `nil removes an optional field`() throws {
        var entry = try entry()
        entry.pageref = nil
        entry.comment = nil
        entry.serverIPAddress = nil
        entry.connection = nil
        entry.request.postData = nil
        entry.request.cookies[0].expires = nil
        entry.request.cookies[0].secure = nil
        entry.response.content.text = nil
        entry.response.content.encoding = nil
        entry.response.content.compression = nil
        entry.cache.beforeRequest = nil
        for name in ["pageref", "comment", "serverIPAddress", "connection"] { #expect(entry[name] == nil) }
        #expect(entry.request["postData"] == nil)
        #expect(entry.request["cookies"]?[0]?["expires"] == nil)
        #expect(entry.response.content.fields.members.map(\.name) == ["size", "mimeType", "comment"])
        #expect(entry.cache["beforeRequest"] == nil)
    }

    @Test func `nil writes minus one if HAR requires the field`() throws {
        var entry = try entry()
        entry.time = nil
        entry.request.bodySize = nil
        entry.request.headersSize = nil
        entry.response.bodySize = nil
        entry.response.headersSize = nil
        entry.response.content.size = nil
        entry.timings.dns = nil
        #expect(entry["time"] == -1)
        #expect(entry.request["bodySize"] == -1)
        #expect(entry.request["headersSize"] == -1)
        #expect(entry.response["bodySize"] == -1)
        #expect(entry.response["headersSize"] == -1)
        #expect(entry.response.content["size"] == -1)
        #expect(entry.timings["dns"] == -1)
        #expect(entry.time == nil)
        #expect(entry.response.content.size == nil)
    }

    @Test func `a time that is not a finite number is stored as unknown`() throws {
        var timings = HAR.Timings()
        for value in [Double.nan, .infinity, -.infinity] {
            timings.wait = value
            #expect(timings.wait == nil)
            #expect(timings["wait"] == -1)
        }
        timings.wait = 0.1
        #expect(JSONValue.object(timings.fields)["wait"]?.number?.text == "0.1")
    }

    @Test func `every property returns the value that was set`() throws {
        var entry = HAR.Entry(fields: [:])
        entry.pageref = "p"
        entry.startedDateTime = "d"
        entry.time = 1.5
        entry.request = HAR.Request(
            method: "POST", url: "u", httpVersion: "h2", cookies: [.init(name: "n", value: "v")],
            headers: [.init(name: "a", value: "b")], queryString: [.init(name: "q", value: "r")],
            postData: .init(
                mimeType: "m", params: [.init(name: "x", value: "y", fileName: "f", contentType: "c")], text: "t"),
            headersSize: 3, bodySize: 4)
        entry.response.status = 404
        entry.response.content = HAR.Content(size: 2, mimeType: "m", text: "t", encoding: "base64")
        entry.cache.afterRequest = HAR.CacheState(expires: "e", lastAccess: "l", eTag: "t", hitCount: 2)
        entry.timings = HAR.Timings(blocked: 1, dns: 2, connect: 3, send: 4, wait: 5, receive: 6, ssl: 7)
        #expect(entry.pageref == "p")
        #expect(entry.startedDateTime == "d")
        #expect(entry.time == 1.5)
        #expect(entry.request.cookies.map(\.value) == ["v"])
        #expect(entry.request.queryString.map(\.value) == ["r"])
        #expect(entry.request.postData?.params?.first?.contentType == "c")
        #expect(entry.request.headersSize == 3)
        #expect(entry.response.status == 404)
        #expect(entry.response.content.encoding == "base64")
        #expect(entry.cache.afterRequest?.expires == "e")
        #expect(entry.timings.ssl == 7)
        #expect(try JSONValue(parsing: JSONValue.object(entry.fields).data()) == .object(entry.fields))
    }

    @Test func `changing one element of a list preserves everything else`() throws {
        var entry = try entry()
        entry.request.headers[1].value = "changed"
        #expect(entry.request.headers.map(\.value) == ["gzip,deflate", "changed", "2"])
        #expect(entry.request.headers[0].comment == "header comment")
        entry.request.headers.append(.init(name: "Y", value: "\u{0}"))
        #expect(entry.request.headers.count == 4)
        entry.request.headers.removeAll { $0.name == "X" }
        #expect(entry.request.headers.map(\.name) == ["Accept-Encoding", "Y"])
    }

    @Test func `objects are equal and have the same hash if their fields are equal`() throws {
        let first = try entry()
        var second = try entry()
        #expect(first == second)
        #expect(first.hashValue == second.hashValue)
        #expect(Set([first, second]).count == 1)
        second["_custom"] = 1
        #expect(first != second)
        second["_custom"] = nil
        #expect(first == second)
        #expect(HAR.Header(name: "a", value: "b") == HAR.Header(fields: ["name": "a", "value": "b"]))
        #expect(HAR.Header(name: "a", value: "b") != HAR.Header(fields: ["value": "b", "name": "a"]))
    }
}
