import Foundation
import HTTPArchive
import ImportFormats
import RecordingFormats
import Testing
import YAMLDocuments

@testable import har

@Suite(.limited) struct YAMLDocumentTests {
    private func value(_ text: String) throws -> JSONValue { try YAMLDocument.value(of: Data(text.utf8)) }

    @Test func `scalars have YAML types`() throws {
        #expect(
            try value("[1, '1', 1.50, true, no, null, ~, text, 2011-11-01, \"a\\x41\", 0x10]")
                == [
                    1, "1", .number(#require(JSONNumber(text: "1.50"))), true, false, nil, nil, "text", "2011-11-01",
                    "aA", 16,
                ])
        #expect(try value("a:\nb: ''") == ["a": nil, "b": ""])
        #expect(try value("") == nil)
    }

    @Test func `binary scalars become objects with Base64`() throws {
        #expect(try value("!!binary |\n  AA\n  EC") == [RecordedValue.binaryName: "AAEC"])
        #expect(try value("!binary |-\n  AAEC") == [RecordedValue.binaryName: "AAEC"])
    }

    @Test func `language-specific tags are ignored`() throws {
        #expect(try value("!!python/object:a.B {c: !!python/unicode 'd'}") == ["c": "d"])
        #expect(try value("!!python/tuple [a, b]") == ["a", "b"])
    }

    @Test func `aliases are expanded`() throws {
        #expect(try value("- &a [1]\n- *a") == [[1], [1]])
    }

    @Test func `the expansion of aliases is limited`() throws {
        let lines = (1...9).map { "- &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ","))]" }
        let error = try #require(throws: HARError.self) { try value("- &a0 x\n" + lines.joined(separator: "\n")) }
        #expect(error.code == .limitExceeded)
        #expect(error.context.line == 7 && error.message.contains("including aliases"))
    }

    @Test func `the number and the depth of values are limited before the document is in memory`() throws {
        let values = String(repeating: "- a\n", count: 400_001)
        let error = try #require(throws: HARError.self) { try value(values) }
        #expect(error.code == .limitExceeded && error.context.line == 400_000)
        let deep = try #require(throws: HARError.self) { try value(String(repeating: "[", count: 300)) }
        #expect(deep.code == .limitExceeded && deep.context.column == 257)
    }

    @Test(arguments: [300, 5_000, 100_000])
    func `the nesting depth is limited`(depth: Int) throws {
        #expect(throws: HARError.self) { try value(String(repeating: "[", count: depth)) }
        #expect(throws: HARError.self) {
            try value(String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
        }
    }

    @Test func `an error about nesting names the limit`() throws {
        let error = try #require(throws: HARError.self) { try value(String(repeating: "[", count: 100_000)) }
        #expect(error.code == .limitExceeded && error.message.contains("256 nested levels"))
    }

    @Test func `an error about a duplicate key has a location`() throws {
        let error = try #require(throws: HARError.self) { try value("a: 1\nb:\n  c: 1\n  c: 2") }
        #expect(error.context.line == 3 && error.context.column == 3)
        #expect(error.message == #"invalid YAML: duplicate key "c" in a mapping"#)
    }

    @Test func `JSON with surrogate pairs is YAML`() throws {
        #expect(try value(#"{"a": "\ud83d\ude00 \u00e4 \\ud83d\/"}"#) == ["a": #"😀 ä \ud83d/"#])
        #expect(throws: HARError.self) { try value(#"{"a": "\ud83d"}"#) }
    }

    @Test(arguments: ["vcr/shop.yml", "vcrpy/shop.yaml", "vcrpy/httpx.yaml", "vcrpy/before-version-1.yaml"])
    func `reading a truncated cassette fails or returns a shorter cassette`(name: String) throws {
        let url = SampleRecordings.folder.appendingPathComponent(name)
        let data = try Data(contentsOf: url)
        for count in stride(from: 0, to: data.count, by: max(1, data.count / 100)) {
            let file = RecordingFile(
                url: url, date: .now, data: data.prefix(count), parse: YAMLDocument.value(of:))
            for format in ImportFormats.all {
                guard format.recognizes(file) else { continue }
                _ = try? format.entries(of: file)
            }
            _ = try? VCRCassette.entries(of: file)
            _ = try? VCRPyCassette.entries(of: file)
        }
        let file = RecordingFile(url: url, date: .now, data: data, parse: YAMLDocument.value(of:))
        #expect(ImportFormats.all.format(of: file) != nil)
    }
}
