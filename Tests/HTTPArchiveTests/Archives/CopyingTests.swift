import Foundation
import HTTPArchive
import Testing

/// Copying archives with a reader and a writer.
@Suite(.limited) struct CopyingTests {
    static let layouts: [JSONLayout] = [.unchanged, .compact, .pretty]

    @Test(arguments: SampleDocument.small + [.everything], layouts)
    func `a copy has the same values, member order and number formats`(sample: SampleDocument, layout: JSONLayout)
        throws
    {
        let copy = try Copying.copy(sample.bytes, layout: layout, in: TemporaryFolder())
        #expect(try ReferenceJSON(parsing: copy) == ReferenceJSON(parsing: sample.bytes))
    }

    @Test(arguments: SampleDocument.small + [.everything])
    func `an unchanged entry is copied byte for byte`(sample: SampleDocument) throws {
        let copy = try Copying.copy(sample.bytes, in: TemporaryFolder())
        #expect(try Copying.entryTexts(copy) == Copying.entryTexts(sample.bytes))
    }

    @Test(arguments: SampleDocument.small + [.everything], layouts)
    func `a copy of a copy has the same text`(sample: SampleDocument, layout: JSONLayout) throws {
        let folder = try TemporaryFolder()
        let copy = try Copying.copy(sample.bytes, layout: layout, in: folder)
        #expect(try Copying.copy(copy, layout: layout, in: folder) == copy)
    }

    @Test func `a compact copy has no line breaks, and a pretty one is indented`() throws {
        let folder = try TemporaryFolder()
        let document = SampleDocument.everything.bytes
        let compact = try Copying.copy(document, layout: .compact, in: folder)
        #expect(!compact.contains(0x0A))
        let pretty = String(decoding: try Copying.copy(document, layout: .pretty, in: folder), as: UTF8.self)
        #expect(pretty.contains("\n  \"log\": {\n    \"version\": \"1.2\",\n"))
        #expect(pretty.contains("\n      {\n        \"pageref\": \"page_0\",\n"))
    }

    @Test(arguments: layouts)
    func `changing an entry changes nothing else`(layout: JSONLayout) throws {
        let document = SampleDocument.everything.bytes
        let folder = try TemporaryFolder()
        var count = 0
        let copy = try Copying.copy(document, layout: layout, in: folder) { event in
            guard case .entry(var entry) = event else { return event }
            count += 1
            if count == 1 {
                entry.response.content.text = "changed \u{0}\u{1F}\"\\"
                entry.comment = "new"
            }
            return .entry(entry)
        }
        let original = try ReferenceJSON(parsing: document).entries
        let entries = try ReferenceJSON(parsing: copy).entries
        #expect(Array(entries.dropFirst()) == Array(original.dropFirst()))
        if layout == .unchanged {
            #expect(try Copying.entryTexts(copy).dropFirst() == Copying.entryTexts(document).dropFirst())
        }
        #expect(entries[0]["comment"] == (try ReferenceJSON(parsing: #""new""#)))
        #expect(
            entries[0]["response"]?["content"]?["text"] == (try ReferenceJSON(parsing: #""changed \u0000\u001f\"\\""#)))
        let names = original[0].members.map(\.name) + ["comment".utf16.map(UInt32.init)]
        #expect(entries[0].members.map(\.name) == names)
        for (member, other) in zip(entries[0].members, original[0].members) where member != other {
            #expect(member.name == "response".utf16.map(UInt32.init))
            let (parts, others) = (member.value.members, other.value.members)
            #expect(zip(parts, others).count { $0 != $1 } == 1)
        }
    }

    @Test func `an unchanged object inside a changed entry keeps its text`() throws {
        let document = #"{"log":{"entries":[{"a":{ "x" :1.0},"b":[ { "y":2 } ],"time":3}]}}"#
        let copy = try Copying.copy(document.utf8, in: TemporaryFolder()) { event in
            guard case .entry(var entry) = event else { return event }
            entry.time = 4
            return .entry(entry)
        }
        let text = String(decoding: copy, as: UTF8.self)
        #expect(text.contains(#"{ "x" :1.0}"#))
        #expect(text.contains(#"{ "y":2 }"#))
        #expect(try HAR.Log(data: Data(copy)).entries.first?.time == 4)
    }

    @Test(arguments: [100, 128, 129, 500, 507])
    func `deeply nested entries are copied in every layout`(depth: Int) throws {
        try onLargeStack {
            let folder = try TemporaryFolder()
            let deep = String(repeating: #"{"parent":["#, count: depth / 2) + String(repeating: "]}", count: depth / 2)
            let document = #"{"log":{"deep":\#(deep),"entries":[{"_initiator":\#(deep)},{"x":\#(deep)}]},"d":\#(deep)}"#
            let reference = try ReferenceJSON(parsing: document)
            for layout in Self.layouts {
                let copy = try Copying.copy(document.utf8, layout: layout, in: folder) { event in
                    guard case .entry(var entry) = event else { return event }
                    if entry["x"] != nil { entry["x"] = entry["x"] }
                    return .entry(entry)
                }
                #expect(try ReferenceJSON(parsing: copy) == reference)
            }
        }
    }

    @Test func `output larger than the write buffer is complete`() throws {
        let entries = (0..<40).map { #"{"n":\#($0),"text":"\#(String(repeating: "\\/é", count: 9000))"}"# }
        let document = #"{"log":{"entries":[\#(entries.joined(separator: ","))],"\ud800":1}}"#
        let folder = try TemporaryFolder()
        for layout in Self.layouts {
            let copy = try Copying.copy(document.utf8, layout: layout, in: folder)
            #expect(try ReferenceJSON(parsing: copy) == ReferenceJSON(parsing: document))
        }
    }

    @Test func `Foundation reads the same values from a copy`() throws {
        let document = SampleDocument.small[1].bytes
        let copy = try Copying.copy(document, layout: .pretty, in: TemporaryFolder())
        let first = try #require(try JSONSerialization.jsonObject(with: Data(document)) as? NSDictionary)
        let second = try #require(try JSONSerialization.jsonObject(with: Data(copy)) as? NSDictionary)
        #expect(first == second)
    }
}
