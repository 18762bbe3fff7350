import ArchiveInspection
import Foundation
import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct TableTests {
    /// An archive with one entry that has a value in every column.
    private static let complete = """
        {"log":{"version":"1.2","creator":{"name":"Tests","version":"1"},
        "pages":[{"startedDateTime":"2026-01-31T12:00:00Z","id":"p1","title":"Shop, \\"new\\"","pageTimings":{}}],
        "entries":[{"pageref":"p1","startedDateTime":"2026-01-31T14:00:00.1234+02:00","time":12.5,
        "request":{"method":"POST","url":"HTTPS://Shop.test/a,b?q=1","httpVersion":"h2","cookies":[],
        "headers":[{"name":"Accept","value":"text/html"},{"name":"ACCEPT","value":"*/*"},{"name":"X","value":"a\\"\\n"}],
        "queryString":[],"postData":{"mimeType":"text/plain; charset=utf-8","text":"x"},"headersSize":100,"bodySize":1},
        "response":{"status":200,"statusText":"","httpVersion":"h2","cookies":[],"headers":[],
        "content":{"size":5,"mimeType":"text/html; charset=UTF-8","text":"hello"},"redirectURL":"/next",
        "headersSize":-1,"bodySize":7,"_transferSize":107},
        "cache":{},"serverIPAddress":"192.0.2.1","connection":"9",
        "timings":{"blocked":-1,"dns":1,"connect":2.25,"ssl":1e0,"send":0,"wait":9.5,"receive":3},
        "_resourceType":"document"}]}}
        """

    /// Converts an archive to NDJSON with the given columns, and returns the values of each row.
    private func rows(_ log: HAR.Log, _ columns: String) async throws -> [JSONValue] {
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        let run = try await HarRun("table", "a.har", "--format", "ndjson", "--columns", columns, in: folder)
        #expect(run.errors == "")
        return try run.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    }

    @Test func `writes CSV with a header row`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(Self.complete.utf8), to: "a.har")
        let run = try await HarRun("table", "a.har", in: folder)
        #expect(run.errors == "")
        #expect(
            run.output == #"""
                file,entry_index,page_id,page_title,started,finished,time_ms,method,url,scheme,host,port,path,query,\#
                status,status_text,http_version,request_type,request_body_bytes,request_headers_bytes,response_type,\#
                response_charset,response_body_bytes,response_received_bytes,transfer_bytes,from_cache,redirect_url,\#
                server_address,connection,blocked_ms,dns_ms,connect_ms,ssl_ms,send_ms,wait_ms,receive_ms,\#
                resource_type,error,request_headers,response_headers
                a.har,0,p1,"Shop, ""new""",2026-01-31T12:00:00.123Z,2026-01-31T12:00:00.136Z,12.5,POST,\#
                "HTTPS://Shop.test/a,b?q=1",https,shop.test,443,"/a,b",q=1,200,"",h2,text/plain,1,100,text/html,\#
                utf-8,5,7,107,false,/next,192.0.2.1,9,,1,2.25,1,0,9.5,3,document,,\#
                "{""accept"":""text/html, */*"",""x"":""a\""\n""}","{}"

                """#)
    }

    @Test func `writes NDJSON with the same values`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(Self.complete.utf8), to: "a.har")
        let run = try await HarRun("table", "a.har", "-o", "a.ndjson", in: folder)
        #expect(run.output + run.errors == "")
        #expect(
            String(decoding: try folder.read("a.ndjson"), as: UTF8.self) == #"""
                {"file":"a.har","entry_index":0,"page_id":"p1","page_title":"Shop, \"new\"",\#
                "started":"2026-01-31T12:00:00.123Z","finished":"2026-01-31T12:00:00.136Z","time_ms":12.5,\#
                "method":"POST","url":"HTTPS://Shop.test/a,b?q=1","scheme":"https","host":"shop.test","port":443,\#
                "path":"/a,b","query":"q=1","status":200,"status_text":"","http_version":"h2",\#
                "request_type":"text/plain","request_body_bytes":1,"request_headers_bytes":100,\#
                "response_type":"text/html","response_charset":"utf-8","response_body_bytes":5,\#
                "response_received_bytes":7,"transfer_bytes":107,"from_cache":false,"redirect_url":"/next",\#
                "server_address":"192.0.2.1","connection":"9","blocked_ms":null,"dns_ms":1,"connect_ms":2.25,\#
                "ssl_ms":1,"send_ms":0,"wait_ms":9.5,"receive_ms":3,"resource_type":"document","error":null,\#
                "request_headers":{"accept":"text/html, */*","x":"a\"\n"},"response_headers":{}}

                """#)
    }

    @Test func `unknown values are null`() async throws {
        let folder = try TemporaryFolder()
        let entries = #"{}, {"time":-1,"startedDateTime":"yesterday","request":{"url":""},"response":{"status":"x"}}"#
        try folder.write(Data(#"{"log":{"entries":[\#(entries)]}}"#.utf8), to: "a.har")
        let run = try await HarRun("table", "a.har", in: folder)
        let rows = run.output.split(separator: "\n").dropFirst()
        let nulls = String(repeating: ",", count: 29)
        #expect(rows.first.map(String.init) == "a.har,0,,,,,,,\(nulls)status 0,,")
        #expect(rows.last.map(String.init) == "a.har,1,,,,,,,\"\"\(nulls)status 0,,")
    }

    @Test(
        arguments: [
            ("https://a.test", "https", "a.test", 443, "", JSONValue.null),
            ("http://u:p@[::1]:8080/x?", "http", "[::1]", 8080, "/x", ""),
            ("wss://a.test/#f", "wss", "a.test", 443, "/", nil),
            ("ftp://a.test:99999/", "ftp", "a.test", nil, "/", nil),
            ("data:text/plain,x?y", "data", nil, nil, nil, nil), ("a.test/x", nil, nil, nil, nil, nil),
        ] as [(String, JSONValue, JSONValue, JSONValue, JSONValue, JSONValue)])
    func `splits URLs`(
        url: String, scheme: JSONValue, host: JSONValue, port: JSONValue, path: JSONValue, query: JSONValue
    ) async throws {
        let rows = try await rows(.sample(.sample("GET", url)), "scheme,host,port,path,query")
        #expect(rows == [["scheme": scheme, "host": host, "port": port, "path": path, "query": query]])
    }

    @Test func `knows which responses were in a cache`() async throws {
        var entries = [nil, "disk", true, false].map { (value: JSONValue?) in
            var entry = HAR.Entry.sample("GET", "https://a.test/")
            entry["_fromCache"] = value
            return entry
        }
        entries[0].response["_transferSize"] = 100
        let log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries)
        let rows = try await rows(log, "from_cache")
        #expect(rows == [false, true, true, false].map { ["from_cache": $0] })
    }

    @Test func `converts several files and the archives in folders, sorted by path`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("in/b"), withIntermediateDirectories: true)
        for name in ["in/b/1.har", "in/c.har", "in/a.HAR", "in/x.txt", "z.har"] { try folder.write(.shop, to: name) }
        let run = try await HarRun("table", "z.har", "in", "--columns", "file,status", "--entries", "3", in: folder)
        #expect(run.output == "file,status\nz.har,200\nin/a.HAR,200\nin/b/1.har,200\nin/c.har,200\n")
    }

    @Test func `preserves any text`() async throws {
        let text = "a\u{1}\t\r\n\"\\,;é\u{1F600}\u{7F} \0"
        var entry = HAR.Entry.sample("GET", "https://a.test/", headers: [HAR.Header(name: "X", value: text)])
        entry.response.statusText = text
        let rows = try await rows(.sample(entry), "status_text,response_headers")
        #expect(rows == [["status_text": .text(text), "response_headers": ["x": .text(text)]]])
        let folder = try TemporaryFolder()
        try folder.write(.sample(entry), to: "a.har")
        let csv = try await HarRun("table", "a.har", "--columns", "status_text,response_headers", in: folder).output
        let json = #"{"x":"a\u0001\t\r\n\"\\,;é\u{1F600}\u{7F} \u0000"}"#
            .replacing(#"\u{1F600}\u{7F}"#, with: "\u{1F600}\u{7F}")
        let fields = [text, json].map { "\"" + $0.replacing("\"", with: "\"\"") + "\"" }
        #expect(csv == "status_text,response_headers\n" + fields.joined(separator: ",") + "\n")
    }

    @Test func `reports a folder without archives`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("table", ".", in: folder)
        #expect(run.status == 1)
        #expect(run.errors == "har: error: .: the folder contains no .har files [unreadableFile]\n")
    }

    @Test func `reads standard input and pipes`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let run = try await HarRun(shell: #"cat a.har | "$HAR" table - --columns file,status --failed"#, in: folder)
        #expect(run.output == "file,status\n-,0\n")
    }

    @Test func `finds page titles after the entries`() async throws {
        let folder = try TemporaryFolder()
        let text = #"{"log":{"entries":[{"pageref":"p"}],"pages":[{"id":"p","title":"T"}]}}"#
        try folder.write(Data(text.utf8), to: "a.har")
        #expect(try await HarRun("table", "a.har", "--columns", "page_title", in: folder).output == "page_title\nT\n")
    }

    @Test func `splits the table into parts`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let arguments = ["table", "a.har", "--columns", "entry_index", "--split", "3", "-o", "t.csv"]
        #expect(try await HarRun(arguments, in: folder).status == 0)
        let parts = try ["t-00000.csv", "t-00001.csv", "t-00002.csv"].map {
            String(decoding: try folder.read($0), as: UTF8.self)
        }
        #expect(parts == ["entry_index\n0\n1\n2\n", "entry_index\n3\n4\n5\n", "entry_index\n6\n"])
        let again = try await HarRun(arguments, in: folder)
        #expect(again.status == 1)
        #expect(again.errors.contains("t-00000.csv: the file already exists; choose another name"))
        #expect(try await HarRun("table", "a.har", "--split", "7", "-o", "u", in: folder).status == 0)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["a.har", "t-00000.csv", "t-00001.csv", "t-00002.csv", "u-00000"])
    }

    @Test(arguments: ["t.csv", "t.ndjson"]) func `a table in a zip file keeps its name`(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        #expect(try await HarRun("table", "a.har", "-o", name + ".zip", in: folder).status == 0)
        let data = try folder.read(name + ".zip")
        #expect(data.range(of: Data(name.utf8)) != nil)
        #expect(data.range(of: Data((name + ".har").utf8)) == nil)
    }

    @Test func `removes all parts if one cannot be written`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let script = #": >t-00002.csv; "$HAR" table a.har --split 3 -o t.csv"#
        #expect(try await HarRun(shell: script, in: folder).status == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        #expect(names == ["a.har", "t-00002.csv"])
    }

    @Test func `writes bodies as text or in Base64`() async throws {
        var binary = HAR.Entry.sample("POST", "https://a.test/", body: "/wA=")
        binary.response.content.encoding = "base64"
        binary.request.postData = HAR.PostData(mimeType: "text/plain", text: "é")
        let log = HAR.Log.sample(
            binary, .sample("GET", "https://a.test/", body: "a\n\"b\""), .sample("GET", "https://a.test/", body: nil))
        let folder = try TemporaryFolder()
        try folder.write(log, to: "a.har")
        let run = try await HarRun("table", "a.har", "--bodies", "--format", "ndjson", in: folder)
        let ends = run.output.split(separator: "\n").map { $0.split(separator: #"},"request_body":"#).last }
        #expect(
            ends == [
                #""é","request_body_encoding":null,"response_body":"/wA=","response_body_encoding":"base64"}"#,
                #""","request_body_encoding":null,"response_body":"a\n\"b\"","response_body_encoding":null}"#,
                #""","request_body_encoding":null,"response_body":null,"response_body_encoding":null}"#,
            ])
        let csv = try await HarRun("table", "a.har", "--columns", "response_body", in: folder)
        #expect(csv.output == "response_body\n/wA=\n\"a\n\"\"b\"\"\"\n\n")
    }

    @Test func `writes the rows before an error, and converts the other files`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"log":{"entries":[{},{},{"a" 1}]}}"#.utf8), to: "a.har")
        try folder.write(.shop, to: "b.har")
        let arguments = ["table", "a.har", "missing.har", "b.har", "--columns", "file", "--entries", "0-2"]
        let run = try await HarRun(arguments, in: folder)
        #expect(run.status == 1)
        #expect(run.output == "file\na.har\na.har\nb.har\nb.har\nb.har\n")
        let errors = run.errors.split(separator: "\n")
        #expect(errors.count == 3)
        #expect(errors[1] == "har: note: to repair a damaged archive, use: har repair a.har")
        #expect(errors.first?.hasPrefix("har: error: a.har:1:31: /log/entries/2 (byte 30): ") == true)
        #expect(errors.last?.hasPrefix("har: error: missing.har: ") == true)
        #expect(try await HarRun(arguments + ["-o", "t.csv"], in: folder).status == 1)
        #expect(try folder.read("t.csv") == run.data)
    }

    @Test func `a missing body file is null, and is reported`() async throws {
        let folder = try TemporaryFolder()
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: nil)
        entry.response.content["_file"] = "body.txt"
        try folder.write(
            .sample(.sample("GET", "https://a.test/"), entry, .sample("GET", "https://a.test/", body: "y")), to: "a.har"
        )
        let run = try await HarRun("table", "a.har", "--columns", "entry_index,response_body", in: folder)
        #expect(run.status == 0)
        #expect(run.output == "entry_index,response_body\n0,\"\"\n1,\n2,y\n")
        #expect(run.errors.hasPrefix("har: warning: a.har: entry 1: body.txt: body file not read: "))
        try folder.write(Data("x".utf8), to: "body.txt")
        let repaired = try await HarRun("table", "a.har", "--columns", "response_body", in: folder)
        #expect(repaired.output == "response_body\n\"\"\nx\ny\n")
    }

    @Test func `exits without an error when the reader of a pipe exits`() async throws {
        let folder = try TemporaryFolder()
        let path = String(repeating: "a", count: 5000)
        let entries = (0..<2000).map { HAR.Entry.sample("GET", "https://a.test/\(path)/\($0)") }
        try folder.write(HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"), entries: entries), to: "a.har")
        let run = try await HarRun(shell: #""$HAR" table a.har --columns entry_index,url | head -n 2"#, in: folder)
        #expect(run.output == "entry_index,url\n0,https://a.test/\(path)/0\n")
        #expect(run.errors == "")
        // The archive is larger than the blocks that are converted at the same time.
        let all = try await HarRun("table", "a.har", "--columns", "entry_index", in: folder)
        #expect(all.output == "entry_index\n" + (0..<2000).map { "\($0)\n" }.joined())
    }

    @Test func `never overwrites an input`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let before = try folder.read("a.har")
        let run = try await HarRun("table", ".", "-o", "a.har", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("the output would overwrite the input"))
        #expect(try folder.read("a.har") == before)
    }

    @Test(arguments: ["t.parquet", "t.csv.tmp", "t.gz"])
    func `rejects an extension that determines no format`(name: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let run = try await HarRun("table", "a.har", "-o", name, in: folder)
        #expect(run.status == 2)
        #expect(run.errors.contains("the extension of '\(name)' is not the extension of a table"))
        #expect(try await HarRun("table", "a.har", "--format", "csv", "-o", name, in: folder).status == 0)
    }

    @Test func `the charset of the header field is used if the content has none`() async throws {
        let headers = [HAR.Header(name: "Content-Type", value: "text/html; charset=UTF-8")]
        let log = HAR.Log.sample(.sample("GET", "https://a.test/", headers: headers, type: "text/html"))
        #expect(try await rows(log, "response_charset") == [["response_charset": "utf-8"]])
    }

    @Test(arguments: ["missing.har", "empty.har", "missing.har empty.har"])
    func `a table is not replaced if no archive can be read`(archives: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "empty.har")
        try folder.write(Data("old".utf8), to: "t.csv")
        for name in ["t.csv", "new.csv"] {
            let run = try await HarRun(
                ["table"] + archives.split(separator: " ").map(String.init) + ["-o", name], in: folder)
            #expect(run.status == 1)
        }
        #expect(try folder.read("t.csv") == Data("old".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.url.appendingPathComponent("new.csv").path))
    }

    @Test(arguments: [["a.har"], ["-o", "t.csv"], ["--split", "5"]])
    func `a schema is printed without a table`(arguments: [String]) async throws {
        let run = try await HarRun(["table", "--schema", "duckdb"] + arguments, in: try TemporaryFolder())
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("har: error: --schema converts nothing; "))
    }

    @Test func `prints schemas`() async throws {
        let folder = try TemporaryFolder()
        let columns = ["--columns", "file,started,status,from_cache,wait_ms,response_headers"]
        let duckDB = try await HarRun(["table", "--schema", "duckdb"] + columns, in: folder)
        #expect(
            duckDB.output == """
                {'file': 'VARCHAR',
                 'started': 'TIMESTAMPTZ',
                 'status': 'BIGINT',
                 'from_cache': 'BOOLEAN',
                 'wait_ms': 'DOUBLE',
                 'response_headers': 'JSON'}

                """)
        let spark = try await HarRun(["table", "--schema", "spark", "--format", "ndjson"] + columns, in: folder)
        #expect(
            spark.output == """
                file STRING,
                started TIMESTAMP,
                status BIGINT,
                from_cache BOOLEAN,
                wait_ms DOUBLE,
                response_headers MAP<STRING, STRING>

                """)
    }

    @Test(arguments: HARSamples.archives)
    func `every sample has one row per entry`(file: URL) async throws {
        let folder = try TemporaryFolder()
        let count = try HAR.Log(contentsOf: file).entries.count
        let run = try await HarRun("table", file.path, "--format", "ndjson", "--bodies", in: folder)
        #expect(run.errors == "")
        let rows = try run.output.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
        #expect(rows.map { $0["entry_index"]?.int } == Array(0..<count))
        #expect(rows.allSatisfy { $0["started"]?.text != nil && $0["status"]?.int != nil })
    }

    @Test(arguments: [
        "", "a.har --split 0 -o t.csv", "a.har --split 1", "a.har --split 1 -o -", "a.har --format xml",
        "a.har --columns nonsense", "a.har --columns url,url", "a.har --columns url --bodies", "--schema sqlite",
        "a.har --split 1 -o /dev/null",
    ])
    func `exits with status 2 for a usage error`(line: String) async throws {
        let folder = try TemporaryFolder()
        #expect(try await HarRun(shell: #""$HAR" table \#(line)"#, in: folder).status == 2)
    }
}

/// The archives in the folder of samples.
private enum HARSamples {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("HARSamples")

    static let archives: [URL] = {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "har" }
    }()
}
