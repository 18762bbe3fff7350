import Foundation
import HTTPArchive
import Testing

/// Exports of entries whose texts contain the syntax of Markdown and HTML.
@Suite(.limited) struct MarkdownTests {
    private static let texts = [
        "<script>alert(1)</script>", "</code></pre><img src=x onerror=alert(1)>", "<!-- x", "&lt;b&gt;&#60;",
        "`", "``x`", "```", "````html\n<b>\n````", "a\n```\n<b>", "\r```\r<b>", "~~~", "\n~~~~\n", "a | b", #"\|"#,
        #"\\|"#,
        #"`\|`"#, "\\", "x\\", "|\n| --- |", "\n\n# x", "\n## 7: GET", "\r\n\r\n### Request", "\r# x", "\u{2028}# x",
        "\u{85}> x",
        "\u{B}# x", "\u{C}# x", "\t# x", "    <b>", "[x](javascript:alert(1))", "![x](http://a.test/x.png)",
        "[x]: http://a.test",
        "*x* _y_ ~z~", "---", "===", "- x", "+ x", "1. <b>", "> x", "# x #", "`\u{301}```\u{301}", "|\u{301}<\u{301}b>",
        "\u{1B}]8;;http://a.test\u{7}", "x\n", "\r\n", "{{x}} {% x %} $x$ \\(x\\)", " ", "  `  ",
    ]

    /// Returns an entry with a text in each of its fields that the document contains.
    private static func entry(_ text: String) -> HAR.Entry {
        let headers = [HAR.Header(name: text, value: text), HAR.Header(name: "A", value: text)]
        var entry = HAR.Entry.sample("POST", "http://a.test/", body: text)
        entry.startedDateTime = text
        entry.request.method = text
        entry.request.url = text
        entry.request.headers = headers
        entry.request.postData = HAR.PostData(mimeType: "text/html\(text)", text: text)
        entry.response.statusText = text
        entry.response.headers = headers
        entry.response.content.mimeType = "text/html\(text)"
        entry["_error"] = .string(JSONString(text))
        entry["_webSocketMessages"] = [["type": "send", "opcode": 1, "data": .string(JSONString(text))]]
        return entry
    }

    /// A block of a document.
    private enum Block: Equatable {
        case heading(Substring)
        case row(Substring)
        case text(Substring)
        case code([Substring])
    }

    /// Returns the blocks of a document, for which a carriage return ends a line, too.
    private static func blocks(of document: String) -> [Block] {
        var blocks: [Block] = []
        var fence: (marker: Substring, lines: [Substring])?
        let text = document.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        for line in text.map({ Substring($0) }) {
            if let (marker, lines) = fence {
                if line == marker { blocks.append(.code(lines)) }
                fence = line == marker ? nil : (marker, lines + [line])
            } else if let marker = line.prefixMatch(of: #/`{3,}/#) {
                fence = (marker.output, [])
            } else if line.hasPrefix("#") {
                blocks.append(.heading(line))
            } else if line.hasPrefix("|") {
                blocks.append(.row(line))
            } else if !line.isEmpty {
                blocks.append(.text(line))
            }
        }
        #expect(fence == nil)
        return blocks
    }

    /// Returns a line without code spans and escaped characters.
    private static func plain(_ line: Substring) -> String {
        var line = line.unicodeScalars[...]
        var plain = String.UnicodeScalarView()
        while let first = line.popFirst() {
            if first == "\\" {
                _ = line.popFirst()
            } else if first == "`" {
                let ticks = 1 + line.prefix { $0 == "`" }.count
                line = line.dropFirst(ticks - 1)
                var run = 0
                while run != ticks || line.first == "`", let next = line.popFirst() { run = next == "`" ? run + 1 : 0 }
                #expect(run == ticks, "an open code span")
            } else {
                plain.append(first)
            }
        }
        return String(plain)
    }

    @Test func `no text leaves its code span, cell, fence or line`() async throws {
        let folder = try TemporaryFolder()
        let creator = HAR.Creator(name: "", version: "")
        try folder.write(HAR.Log(creator: creator, entries: Self.texts.map(Self.entry)), to: "a.har")
        let run = try await HarRun("export", "--to", "markdown", "a.har", in: folder)
        #expect(run.status == 0, "\(run.errors)")
        var rest = Self.blocks(of: run.output)[...]
        #expect(rest.popFirst() == .heading("# a"))
        for (index, text) in Self.texts.enumerated() {
            let table = ["|", "|", "|", "|"]
            let first = ["##", "text", "###"] + table + ["code", "###", "text"]
            let expected = first + table + ["code", "###", "text", "code"]
            let blocks = rest.prefix(expected.count)
            rest = rest.dropFirst(expected.count)
            let kinds = blocks.map { block in
                switch block {
                case .heading(let line): String(line.prefix { $0 == "#" })
                case .row: "|"
                case .text: "text"
                case .code: "code"
                }
            }
            #expect(kinds == expected, "\(index): \(text.debugDescription)")
            for block in blocks {
                switch block {
                case .heading(let line), .text(let line):
                    #expect(!Self.plain(line).contains(#/[<>\[\]&*`|]/#), "\(line)")
                    #expect(line.first?.isLetter == true || line.hasPrefix("#") || line.hasPrefix("`"), "\(line)")
                case .row(let line):
                    // After an even number of backslashes, only some programs end the cell.
                    #expect(!line.contains(#/(?:^|[^\\])(?:\\\\)+\|/#), "\(line)")
                    #expect(Self.plain(line).count { $0 == "|" } == 3, "\(line)")
                case .code(let lines):
                    let body = text.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
                    #expect(lines.starts(with: body.map { Substring($0) }.prefix(lines.count)), "\(lines)")
                }
            }
        }
        #expect(rest.isEmpty)
    }
}
