import HTTPArchive
import RelayCore
import Testing

@Suite struct ListTests {
    @Test(arguments: [
        ("", [0, 1, 2]), ("logo", [1]), ("-logo", [0, 2]), ("status:4xx", [1]), ("-status:4xx,5xx", [0]),
        ("host:b.example+method:POST", [2]), ("type:json", [0]), ("slower-than:10ms", [0, 1]), ("b.example+FORM", [2]),
        ("%22page=2%22", [0]), ("status:", [0, 1, 2]), ("is:failed", []), ("unknown:word", []),
    ])
    func `a filter selects the entries for which all words hold`(filter: String, expected: [Int]) async throws {
        #expect(try await Page().indices("q=\(filter)") == expected)
    }

    @Test(arguments: ["status:abc", "is:odd", "slower-than:soon", "type:nothing", "-min-size:x"])
    func `an invalid word of a filter is reported`(filter: String) async throws {
        let response = try await Page().response("api/1/rows?q=logo+\(filter)")
        #expect(response.status == 400)
        let word = filter.hasPrefix("-") ? String(filter.dropFirst()) : filter
        #expect(try JSONValue(parsing: response.body)["word"]?.text == word)
    }

    @Test(arguments: [
        ("index", [2, 1, 0]), ("time", [1, 0, 2]), ("status", [2, 1, 0]), ("url", [0, 2, 1]), ("host", [0, 2, 1]),
        ("method", [2, 0, 1]), ("type", [2, 1, 0]), ("size", [0, 1, 2]), ("started", [0, 1, 2]), ("page", [0, 1, 2]),
        ("outcome", [2, 1, 0]),
    ])
    func `every column sorts in descending order, and equal values keep their order`(
        column: String, expected: [Int]
    ) async throws {
        #expect(try await Page().indices("sort=\(column)&order=desc") == expected)
    }

    @Test(arguments: [false, true])
    func `a list of many entries is sorted by the bytes of the URLs`(isDescending: Bool) async throws {
        // The index stores 4,096 entries together, and the entry with the unusual status separately.
        let urls = (0..<5000).map { "https://shop.example/\($0 * 7919 % 2503)\($0 % 3 == 0 ? "é" : "")" }
        let entries = urls.enumerated().map { index, url in
            Page.entry(url, status: index == 1000 ? 20_000 : 200, type: "text/plain", text: "")
        }
        let page = try Page(entries)
        var sorted: [Int] = []
        for start in stride(from: 0, to: urls.count, by: 1000) {
            sorted += try await page.indices("sort=url&order=\(isDescending ? "desc" : "asc")&from=\(start)&count=1000")
        }
        let expected = urls.indices.sorted { first, second in
            let (url, other) = isDescending ? (urls[second], urls[first]) : (urls[first], urls[second])
            return url == other ? first < second : url.utf8.lexicographicallyPrecedes(other.utf8)
        }
        #expect(sorted == expected)
    }

    @Test func `a list has ranges, and finds the position of an entry`() async throws {
        let list = try await Page().json("rows?sort=time&from=1&count=1&around=1")
        #expect(list["rows"]?.array?.map { $0["i"]?.int } == [0])
        #expect(list["count"]?.int == 3)
        #expect(list["position"]?.int == 2)
    }

    @Test func `counts and totals describe the selected entries`() async throws {
        let page = try Page()
        let counts = try await page.json("counts?q=b.example")
        #expect(counts["host"] == [["b.example", 2, 28, 25.0, 1]])
        #expect(counts["type"]?.array?.contains { $0.array?.first == "text/plain" } == true)
        let overview = try await page.json("overview?q=")
        #expect(overview["entries"]?.int == 3)
        #expect(overview["failures"]?.int == 2)
        #expect(overview["slowest"]?.array?.first?["i"]?.int == 1)
    }

    @Test func `extreme numbers do not end the process`() async throws {
        let entries = ["a/b", "a/b; x", "A/B"].map { type in
            var entry = Page.entry("http://a/", type: type, text: "x", time: 1e300)
            entry.response.content["size"] = .number(JSONNumber(Int.max))
            entry.response["status"] = .number(JSONNumber(Int.min))
            entry["_chunks"] = [["bytes": .number(JSONNumber(Int.max)), "timestamp": 1e300]]
            return entry
        }
        let page = try Page(entries)
        let overview = try await page.json("overview?q=")
        #expect(overview["size"]?.int == .max)
        let counts = try await page.json("counts")
        #expect(counts["type"]?.array?.first?.array?[2].int == .max)
        for resource in [
            "sources", "rows?sort=time", "rows?sort=status", "counts", "entry?i=0", "phases?i=0,9999999999999999999",
        ] {
            _ = try await page.json(resource)
        }
        #expect(try await page.response("api/1/rows?from=9999999999999999999").status == 400)
        #expect(try await page.json("rows?from=\(Int.max)&count=\(Int.max)")["rows"] == [])
    }
}
