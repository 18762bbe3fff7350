import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct ArchiveIndexTests {
    /// Indexes an archive with the structural scan and with the parser.
    private func indices(of text: [UInt8]) throws -> (structure: ArchiveIndex?, parsed: Result<ArchiveIndex, HARError>)
    {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(text).write(to: url)
        let file = try InputFile(url: url)
        let structure = try ArchiveIndex.byStructure(of: file, configuration: .init())
        let parsed = Result { () throws(HARError) in
            try ArchiveIndex(parsing: InputFile(url: url), configuration: .init())
        }
        return (structure, parsed)
    }

    private func expectEqual(_ text: [UInt8], _ comment: Comment) throws {
        let (structure, parsed) = try indices(of: text)
        // The parser can reject an archive that the structural scan accepts. If both accept it, the results must be equal.
        guard let structure, let parsed = try? parsed.get() else { return }
        #expect(structure.table.count == parsed.table.count, comment)
        #expect(structure.log == parsed.log, comment)
        for index in 0..<min(structure.table.count, parsed.table.count) {
            #expect(structure.table[index] == parsed.table[index], comment)
        }
    }

    @Test func `structural indexing of complex and small documents returns the parser's index`() throws {
        for sample in [SampleDocument.everything] + SampleDocument.small { try expectEqual(sample.bytes, "\(sample)") }
    }

    private static let samples = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("HARSamples")

    @Test(arguments: ["chromium-embed.har", "chromium-omit.har", "firefox.har", "mitmproxy.har"])
    func `structural indexing of captures from real tools returns the parser's index`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.samples.appendingPathComponent(name)))
        let (structure, parsed) = try indices(of: bytes)
        #expect(try structure?.table.count == parsed.get().table.count)
        try expectEqual(bytes, "\(name)")
    }

    @Test func `vertical tabs and form feeds count as whitespace, as in the parser`() throws {
        let text = "{\"log\":\u{B}{\"entries\":[\u{C}{\"response\":{\"status\":\u{B}\u{C}200\u{C}}\u{B}}\u{B}]}}"
        let (structure, parsed) = try indices(of: Array(text.utf8))
        #expect(try parsed.get().table[0].status == 200)
        #expect(structure?.table[0].status == 200)
    }

    @Test(arguments: 0..<8)
    func `structural indexing of a corrupted document returns the parser's index or nil`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let document = SampleDocument.everything.bytes
        let marks = Array("\"\\{}[],: x0\n\u{B}".utf8)
        for _ in 0..<Cases.count(40, orAll: 150) {
            var changed = document
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let place = Int.random(in: changed.indices, using: &generator)
                let mark = marks[Int.random(in: marks.indices, using: &generator)]
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: changed[place] = mark
                case 1: changed.insert(mark, at: place)
                default: changed.remove(at: place)
                }
            }
            try expectEqual(changed, "seed \(seed)")
        }
    }

    @Test(arguments: [
        #"{"log":{"entries":[{"request":{"url":"a","url":"b"},"request":{"method":"X"}}]}}"#,
        #"{"log":{"entries":[{"\u0072equest":{"u\u0072l":"\u00e9\n"},"response":{"status":"200","status":3e2}}]}}"#,
        #"{"log":{"entries":[{"request":[1],"response":7,"time":-1,"_resourceType":null}, {} ]},"x":1}"#,
        #"{"log":{"entries":[{"response":{"content":{"size":1.0,"mimeType":"a"},"content":[{"size":3}]}}],"pages":[]}}"#,
        #"{"log":{"entries":[{"time":1.5,"startedDateTime":"x","request":{"method":"GET","a":{"url":"no"},"url":"y"}}]}}"#,
        #"{"log":{"entries":[{"time":"12.5","response":{"status":"200","content":{"size":"3"}}},{"time":"12,5"}]}}"#,
        #"{"log":{"entries":[{"time":"NaN"},{"time":"-1"},{"time":1,"time":"x"},{"time":"x","time":" +1e1 "}]}}"#,
        #"{"log":{"entries":[{"response":{"status":" 2\u00300 "}},{"response":{"status":"\t200.0\n"}}]}}"#,
        #"{"log":{"entries":[{"response":{"status":"200 OK","content":{"size":"3,5"}}},{"time":"1.234,5"}]}}"#,
        #"{"log":{"entries":[{"response":{"status":999,"content":{"size":"-1"}}},{"response":{"status":"007"}}]}}"#,
        #"{"log":{"entries":[]}}"#, #"{"log":{"entries":[ ] , "pages":[{"id":"}]\"["}]}}"#,
        #"{"log":{"entries":[{"_resourceType":"","request":{"url":"]}\\\"{[","method":1}}]}}"#,
        #"{"log":{"entries":[{"pageref":"a","pageref":"p\u0031"},{"pageref":""},{"pageref":7},{"pageref":{"pageref":"x"}}]}}"#,
    ])
    func `summaries of unusual entries equal those from the parser`(text: String) throws {
        let (structure, parsed) = try indices(of: Array(text.utf8))
        #expect(structure != nil)
        #expect(try parsed.get().table.count >= 0)
        try expectEqual(Array(text.utf8), "\(text)")
    }

    @Test(arguments: [
        (#"{}"#, true), (#"{"response":{"status":200}}"#, false), (#"{"response":{"status":0}}"#, true),
        (#"{"response":{"status":-1}}"#, true), (#"{"response":{"status":2e2,"_error":""}}"#, false),
        (#"{"response":{"status":200,"_error":"x"}}"#, true), (#"{"response":{"status":304,"_error":"x"}}"#, false),
        (#"{"response":{"status":200,"_error":"x","_error":null}}"#, false),
        (#"{"response":{"status":200,"_error":"\ud800"}}"#, true),
        (#"{"response":{"status":200,"_error":[1]}}"#, false),
        (#"{"response":{"_failureText":"x","status":200},"response":{"status":200}}"#, false),
        (#"{"response":{"_failureText":"x","status":200}}"#, true), (#"{"response":{"status":"200"}}"#, false),
        (#"{"response":{"status":" 2e2\n"}}"#, false), (#"{"response":{"status":"0"}}"#, true),
        (#"{"response":{"status":"OK"}}"#, true), (#"{"response":{"status":200.5}}"#, true),
        (#"{"_error":"x","response":{"status":200}}"#, true), (#"{"_error":"x","response":{"status":204}}"#, false),
        (#"{"_error":7,"response":{"status":200,"content":{"_error":"x","text":"_error"}}}"#, false),
        (#"{"_failureText":"x","response":{"status":200},"request":{"_error":"x"}}"#, false),
    ])
    func `an entry with an error counts as failed`(entry: String, isFailed: Bool) throws {
        let text = Array(#"{"log":{"entries":[\#(entry)]}}"#.utf8)
        #expect(try indices(of: text).structure?.table[0].isFailed == isFailed)
        try expectEqual(text, "\(entry)")
    }

    @Test(arguments: [
        (#"{"_fromCache":"memory"}"#, true), (#"{"_fromCache":""}"#, false), (#"{"_fromCache":true}"#, true),
        (#"{"_fromCache":false}"#, false), (#"{"_fromCache":1}"#, false), (#"{"_fromCache":["disk"]}"#, false),
        (#"{"_fromCache":"disk","_fromCache":null}"#, false), (#"{"response":{"_fromCache":"disk"}}"#, false),
    ])
    func `a response from the cache of a browser counts as such`(entry: String, isFromCache: Bool) throws {
        let text = Array(#"{"log":{"entries":[\#(entry),{}]}}"#.utf8)
        #expect(try indices(of: text).structure?.table[0].isFromCache == isFromCache)
        #expect(try indices(of: text).structure?.table[1].isFromCache == false)
        try expectEqual(text, "\(entry)")
    }

    @Test(arguments: [
        #"{"log":{"entries":[1,{}]}}"#, #"{"log":{"entries":[{},]}}"#, #"{"log":{"entries":[,{}]}}"#,
        #"{"log":{"entries":[{}{}]}}"#,
        #"{"log":{"entries":["a"]}}"#, #"{"log":{"entries":[[]]}}"#, #"{"log":{"entries":[{}}}"#,
        #"{"log":{"entries":[{}]"#,
        #"{"log":{"entries":[{"a":1"#, #"{"log":{"entries":{}}}"#, #"{"log":7}"#, "[]", "",
        #"{"log":{"entries":[{]}]}}"#,
        #"{"log":{"entries":[{}]}} x"#,
    ])
    func `the structural scan rejects unusual documents`(text: String) throws {
        #expect(try indices(of: Array(text.utf8)).structure == nil)
    }

    @Test func `strings and entries longer than the read buffer are indexed`() throws {
        let long = String(repeating: "x\\\"{[", count: 200_000)
        for url in ["short", long] {
            let entry = #"{"request":{"method":"GET","url":"\#(url)","x":"\#(long)"},"response":{"status":200}}"#
            let text = #"{"log":{"entries":[\#(entry),\#(String(repeating: " ", count: 300_001))\#(entry)]}}"#
            let (structure, _) = try indices(of: Array(text.utf8))
            #expect(structure?.table.count == 2)
            try expectEqual(Array(text.utf8), "long")
        }
    }
}
