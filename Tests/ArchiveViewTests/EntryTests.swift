import Foundation
import HTTPArchive
import RelayCore
import Testing

@Suite struct EntryTests {
    @Test(arguments: [
        ("application/json", "[1]", "json"), ("text/html", "<p>", "text"), ("image/svg+xml", "<svg/>", "image"),
        ("", #"{"a":1}"#, "json"), ("text/plain", "BMW", "text"), ("text/event-stream", "data: 1\n\n", "events"),
        ("application/x-www-form-urlencoded", "a=b", "form"), ("application/octet-stream", "\u{0}", "binary"),
        (
            "multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x--\r\n",
            "multipart"
        ),
        ("application/json", #"{"query":"query Q { a }","variables":{"b":1}}"#, "graphql"),
        ("text/plain", "GIF89a\u{0}", "image"), ("text/html", "wOF2\u{0}", "font"),
    ])
    func `the kind of a body depends on its type and content`(type: String, text: String, kind: String) async throws {
        let page = try Page([Page.entry("http://a/", type: type, text: text)])
        let body = try await page.json("entry?i=0")["response"]?["body"]
        #expect(body?["kind"]?.text == kind)
        #expect(body?["size"]?.int == text.utf8.count)
    }

    @Test func `bodies are never delivered with a type that a browser runs`() async throws {
        let types = ["text/html", "image/svg+xml", "application/xhtml+xml", "text/javascript", "font/x"]
        for type in types {
            let page = try Page([Page.entry("http://a/", type: type, text: "<script>alert(1)</script>")])
            for form in ["text", "bytes", "image", "font", ""] {
                let response = try await page.response("api/1/body?i=0&side=response&as=\(form)")
                let sent = response.headers.values(named: "content-type").first ?? ""
                let isHarmless = ["text/plain; charset=utf-8", "application/octet-stream", "application/json"].contains(
                    sent)
                // An image cannot run scripts, and a document in a sandbox neither.
                let isSandboxed = response.headers.values(named: "content-security-policy").contains {
                    $0.hasPrefix("sandbox;")
                }
                #expect(isHarmless || (sent == "image/svg+xml" && isSandboxed))
                #expect(response.headers.values(named: "x-content-type-options") == ["nosniff"])
            }
        }
    }

    @Test func `text is delivered in parts of whole characters`() async throws {
        let page = try Page([Page.entry("http://a/", type: "text/plain", text: "aé€😀b")])
        var parts: [String] = []
        for count in [1, 3, 7, 11] {
            let part = try await page.response("api/1/body?i=0&as=text&count=\(count)")
            parts.append(String(decoding: part.body, as: UTF8.self))
        }
        #expect(parts == ["a", "aé", "aé€", "aé€😀b"])
        let cut = try await page.response("api/1/body?i=0&as=text&from=2&count=3")
        #expect(String(decoding: cut.body, as: UTF8.self) == "")
        #expect(cut.headers.values(named: "x-total") == ["11"])
    }

    @Test func `findings and secrets have pointers relative to the entry`() async throws {
        let headers = [HAR.Header(name: "Authorization", value: "Bearer abcdefghijklmnop")]
        let page = try Page([Page.entry("http://a/", type: "", text: "x", headers: headers)])
        let details = try await page.json("entry?i=0")
        #expect(details["secrets"]?.array?.first?["pointer"]?.text == "/request/headers/0/value")
        #expect(details["findings"]?.array?.contains { $0["pointer"]?.text?.hasPrefix("/log") == true } == false)
    }

    @Test func `an entry can be copied`() async throws {
        let page = try Page()
        for (form, expected) in [
            ("curl", "curl 'https://b.example"), ("fetch", "await fetch(\""), ("har", "\"entries\""),
            ("swift", ".stub("),
        ] {
            let text = try await page.response("api/1/copy?i=0&as=\(form)")
            #expect(String(decoding: text.body, as: UTF8.self).contains(expected))
        }
    }

    @Test func `several entries are copied as one archive, or one after another`() async throws {
        let page = try Page()
        let archive = try JSONValue(parsing: try await page.response("api/1/copy?i=0,2&as=har").body)
        #expect(archive["log"]?["entries"]?.array?.map { $0["request"]?["method"]?.text } == ["GET", "POST"])
        let commands = String(decoding: try await page.response("api/1/copy?i=0,1&as=curl").body, as: UTF8.self)
        #expect(commands.contains("https://b.example/items") && commands.contains("https://a.example/Logo.PNG"))
        for indices in ["", "0,9", "0,", "x"] {
            #expect(try await page.response("api/1/copy?i=\(indices)&as=har").status == 404)
        }
    }

    @Test func `the answering entry of a request is found, or the differences are listed`() async throws {
        let page = try Page()
        let answer = try await page.json("explain", post: #"{"method":"GET","url":"https://b.example/items?page=2"}"#)
        #expect(answer["i"]?.int == 0)
        #expect(answer["entries"]?.array?.first?["differences"] == [])
        let miss = try await page.json("explain", post: #"{"method":"GET","url":"https://b.example/items?page=3"}"#)
        #expect(miss["i"] == .null)
        #expect(miss["entries"]?.array?.first?["differences"]?.array?.isEmpty == false)
    }

    @Test func `the nearest entries of a large archive are listed`() async throws {
        let entries = (0..<3000).map { Page.entry("https://a.example/items/\($0)", type: "text/plain", text: "") }
        let page = try Page(entries)
        let miss = try await page.json("explain", post: #"{"method":"GET","url":"https://a.example/items/2500?x=1"}"#)
        #expect(miss["i"] == .null)
        #expect(miss["entries"]?.array?.first?["i"]?.int == 2500)
        #expect(miss["entries"]?.array?.first?["differences"]?.array?.isEmpty == false)
    }

    @Test func `the form of a body that was found by its content is noted`() async throws {
        let body = Data(#"{"a": 12345678, "b": "text"}"#.utf8)
        var entry = Page.entry("http://a/", type: "application/json", text: body.base64EncodedString())
        entry.response.content["size"] = .number(JSONNumber(body.count))
        let page = try Page([entry])
        #expect(try await page.json("entry?i=0")["response"]?["body"]?["note"]?.text?.contains("Base64") == true)
    }

    @Test func `an export is redacted, and can be downloaded once it was shown`() async throws {
        let headers = [HAR.Header(name: "Cookie", value: "session=0123456789abcdef")]
        let page = try Page([Page.entry("http://a/", type: "", text: "x", headers: headers)] + Page.entries)
        let export = try await page.json("export", post: #"{"indices":[0,2],"redact":true}"#)
        #expect(export["entries"]?.int == 2)
        #expect(export["replaced"]?.array?.isEmpty == false)
        let id = try #require(export["id"]?.text)
        let download = try await page.response("api/1/exported?id=\(id)")
        #expect(!String(decoding: download.body, as: UTF8.self).contains("0123456789abcdef"))
        #expect(download.headers.values(named: "content-disposition") == ["attachment; filename=\"shop-redacted.har\""])
        #expect(try await page.response("api/1/exported?id=other").status == 404)
    }

    @Test(arguments: [
        "entry?i=99", "entry", "rows?a=5", "body?i=2&side=request", "copy?i=0&as=x", "none", "entry?i=-1",
        "rows?sort=none",
    ])
    func `a request for something unknown fails with a message`(path: String) async throws {
        let response = try await Page().response("api/1/\(path)")
        #expect(400..<500 ~= response.status)
        #expect(try JSONValue(parsing: response.body)["error"]?.text?.isEmpty == false)
    }
}

@Suite struct ComparisonTests {
    @Test func `two entries are compared as by har diff`() async throws {
        let page = try Page()
        let same = try await page.json("compare?left=0:0&right=0:0")
        #expect(same["equal"] == true)
        let other = try await page.json("compare?left=0:0&right=0:1")
        #expect(other["equal"] == false)
        let parts = other["differences"]?.array?.compactMap { $0["part"]?.text } ?? []
        #expect(parts.contains { $0.contains("status") })
        #expect(try await page.response("api/1/compare?left=0:0&right=0:9").status == 404)
    }

    @Test func `the entries of two archives are compared in pairs`() async throws {
        let compared = try await Page().json("compared?left=0&right=0")
        #expect(compared["same"]?.int == 3)
        #expect(compared["rows"]?.array?.map { $0["left"]?.int } == [0, 1, 2])
        #expect(try await Page().json("compared?left=0&right=0&q=changed")["count"]?.int == 0)
    }
}
