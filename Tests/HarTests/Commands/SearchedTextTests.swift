import Foundation
import HTTPArchive
import TestSupport
import Testing

/// Searches the same archives as a file, where most entries are only probed, and from a pipe, where every entry is
/// parsed.
@Suite(.limited) struct SearchedTextTests {
    /// Returns the text of an entry.
    private static func entry(
        _ url: String = "https://a.test/", headers: String = "", request: String = "", content: String = "",
        fields: String = ""
    ) -> String {
        """
        {"startedDateTime":"2026-01-01T12:00:00Z","time":1,"request":{"method":"POST","url":"\(url)","headers":[\
        \(headers)]\(request)},"response":{"status":200,"headers":[],"content":{"size":1,"mimeType":"text/plain"\
        \(content)}}\(fields)}
        """
    }

    private static func postData(_ type: String, _ fields: String) -> String {
        #","postData":{"mimeType":"\#(type)",\#(fields)}"#
    }

    /// Entries whose texts differ from their JSON in every way.
    private static let entries = [
        entry(content: #","text":"plain needle""#),
        entry(content: #","text":"plain NEEDLE""#),
        entry(content: #","text":"escaped n\u0065edle""#),
        entry(content: #","text":"escaped \u004EEEDLE""#),
        entry(content: #","text":"not escaped n\\u0065edle""#),
        entry(content: #","text":"escaped n\\\u0065edle n\\\\u0065edle""#),
        entry(content: #","text":"a\/b <\/needle> \"quoted\" back\\slash tab\there""#),
        entry(content: #","text":"Gr\u00fc\u00DFe and Grüße, 漢字 \u6f22\u5b57 \ud83d\ude00😀""#),
        entry(content: #","text":"\u212a elvin, \ufb01sh, Stra\u1e9ee, \ud800needle""#),
        entry(content: #","text":"STRASSE Kelvin fish I\u0307""#),
        entry(content: #","text":"bmVlZGxl","encoding":"base64""#),
        entry(content: #","text":"R3LDvMOfZQ==","encoding":"bAsE64""#),
        entry(content: #","text":"bmVl\/ZGxl","encoding":"base64""#),
        // `Grüße needle` in ISO 8859-1.
        entry(content: #","text":"R3L832UgbmVlZGxl","encoding":"base64""#),
        entry("https://a.test/n%65edle?q=%C3%A4&Gr%C3%BC%c3%9fe"),
        entry(#"https:\/\/a.test\/items\/needle"#),
        entry(headers: #"{"name":"X-Name","value":"needle: value"},{"name":"Empty","value":""}"#),
        entry(
            request: postData("application/x-www-form-urlencoded", #""params":[{"name":"q","value":"n\u00e4 d/l"}]"#)),
        entry(
            request: postData(
                "multipart/form-data; boundary=b", #""params":[{"name":"file","value":"needle"}]"#)),
        entry(
            request: postData(
                "text/plain; charset=utf-16le", #""text":"n\u0000e\u0000e\u0000d\u0000l\u0000e\u0000""#)),
        entry(
            request: postData(#"text/plain; charset=\"iso-2022-jp\""#, #""text":"\u001b$B4A;z\u001b(B needle""#)),
        entry(request: postData("text/plain; charset=shift_jis", #""text":"needle \\ ~""#)),
        entry(request: postData("text/plain", #""text":"bmVlZGxl","encoding":"base64""#)),
        entry(fields: #","_webSocketMessages":[{"type":"send","opcode":1,"data":"a n\u0065edle \/ \u00fc"}]"#),
        entry(request: #","cookies":[{"name":"needle name","value":"x"},{"name":"id","value":"needle=y"}]"#),
        entry(content: #","text":"{\"a\":\"n\\u0065edle Gr\\u00fc\\/x \\\"q\\\" C:\\\\d\"}""#),
        entry(content: #","text":" [\"n\u005cu0065edle \\ud83d\\ude00 \\ud83d \\n \\u000a\"]""#),
        entry(request: postData("application/x-www-form-urlencoded", #""text":"q=n%65edle+Gr%C3%BC&r=%0A%2""#)),
        entry("https://a.test/a+b?q=needle+x%C3%BC%ff"),
        entry(fields: #","_webSocketMessages":[{"type":"receive","data":"{\"a\":\"n\\u0065edle\"}"}]"#),
        entry(content: #","text":"\#(String(repeating: "n", count: 5000))eedle""#),
    ]

    private static let queries = [
        "needle", "NEEDLE", "eedle", "dle n", "n\\u0065edle", "a/b", "</needle>", "\"quoted\"", "\"", "\\", "/",
        "tab\t", "k\\s", "Grüße", "GRÜSSE", "grüß", "ü", "ß", "ss", "漢字", "😀", "\u{FFFD}", "Kelvin", "\u{212A}", "fish",
        "ﬁ", "i\u{307}", "X-Name: needle", "x-name:", ": needle", "needle: value", "Empty: ", " ", ":", "n%65edle",
        "%65",
        "q=%C3%A4", "q=n", "q=", "c3", "a4+d", "4+d%2Fl", "form-data; name=\"file\"", "--b", "bmVlZGxl", "base64",
        "nnnnnnnnnneedle", "absent",
        "needle Grü", "Grü/x", "\"q\" C:\\d", "q=needle", "needle xü", "needle x", "a+b", "a b", "\\u0065",
        "needle name=x", "=x", "id=needle=y", "https://a.test/items", "\u{1B}", "nee",
        "漢字 needle", "\r\n",
    ]

    @Test func `a file has the same matches as a pipe`() async throws {
        let folder = try TemporaryFolder()
        let text = Data(#"{"log":{"version":"1.2","entries":[\#(Self.entries.joined(separator: ",\n"))]}}"#.utf8)
        try folder.write(text, to: "a.har")
        for query in Cases.some(8, of: Self.queries) {
            let hasTwoCases = query.lowercased() != query || query.utf8.contains { $0 >= 0x80 }
            for options in hasTwoCases ? [[], ["--match-case"]] : [[]] {
                let file = try await HarRun(["search", "a.har", query] + options, in: folder)
                let pipe = try await HarRun(["search", "-", query] + options, in: folder, input: text)
                #expect(file.output == pipe.output, "\(query) \(options)")
                #expect(file.status == pipe.status, "\(query) \(options)")
            }
        }
    }

    @Test(
        arguments: [
            ("x-name: NEEDLE", "request header: X-Name: needle: value"), ("q=n%C3%A4+d%2Fl", "request body:1: q=n"),
            ("a4+d", "request body:1: …q=n"), ("form-data; name=\"file\"", "request body:2: "),
        ])
    func `finds text that joins fields of the entry`(query: String, match: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(#"{"log":{"entries":[\#(Self.entries.joined(separator: ","))]}}"#.utf8), to: "a.har")
        let run = try await HarRun("search", "a.har", query, in: folder)
        #expect(run.output.contains(match.replacing("…", with: "")), "\(run.output)")
    }

    @Test func `finds text in every part of a large archive`() async throws {
        let folder = try TemporaryFolder()
        let padding = String(repeating: "hay ", count: 1000)
        let found = [0, 1, 255, 256, 700, 1498, 1499]
        let entries = (0..<1500).map { index in
            Self.entry(content: #","text":"\#(padding)\#(found.contains(index) ? "neeDLE" : "needl")""#)
        }
        try folder.write(Data(#"{"log":{"entries":[\#(entries.joined(separator: ",\n"))]}}"#.utf8), to: "a.har")
        let run = try await HarRun("search", "--json", "a.har", "needle", in: folder)
        let matches = try JSONValue(parsing: run.data).array ?? []
        #expect(matches.compactMap { $0["index"]?.int } == found)

        let cut = entries[..<700] + [#"{"request":{"url":"https://a.test/"},"x":[1 2]}"#] + entries[700...]
        try folder.write(Data(#"{"log":{"entries":[\#(cut.joined(separator: ",\n"))]}}"#.utf8), to: "cut.har")
        let broken = try await HarRun("search", "--json", "cut.har", "needle", in: folder)
        #expect(broken.status == 2)
        #expect(broken.errors.contains("in entry 700"))
        #expect(try JSONValue(parsing: broken.data).array?.compactMap { $0["index"]?.int } == Array(found.prefix(4)))
    }
}
