import Foundation
import Testing

@testable import HTTPArchive

/// Appending to valid archives.
@Suite(.limited) struct AppendingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func configuration(_ layout: JSONLayout) -> HARWriter.Configuration {
        var configuration = HARWriter.Configuration()
        configuration.layout = layout
        return configuration
    }

    @Test(arguments: [JSONLayout.unchanged, .compact, .pretty])
    func `a missing file is created and is a complete archive after each append`(layout: JSONLayout) throws {
        let file = folder.file("a.har")
        let writer = try HARWriter(appendingTo: file, configuration: configuration(layout))
        #expect(try urls(in: file) == [])
        for number in 0..<20 {
            try writer.append(.numbered(number, size: number * 50))
            #expect(try urls(in: file) == urls(0..<number + 1))
            #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(contentsOf: file)) }
        }
        try writer.finish()
        let log = try HAR.Log(contentsOf: file)
        #expect(log.version == "1.2")
        #expect(log.creator == .relay)
        #expect(log.entries == (0..<20).map { .numbered($0, size: $0 * 50) })
    }

    @Test func `an empty file becomes an archive`() throws {
        let file = try folder.file("a.har", holding: "")
        try HARWriter(appendingTo: file).append(.numbered(0))
        #expect(try urls(in: file) == urls(0..<1))
    }

    /// Archives with many different endings: the text before the entries, the entries, and the text after them.
    static let archives: [(head: String, entries: String, tail: String)] = [
        (#"{"log":{"entries":["#, #"{"n":1},{"n":2}"#, "]}}"),
        (#"{"log":{"entries":["#, "", "]}}"),
        ("{\n  \"log\": {\n    \"entries\": [", "\n      {\"n\": 1},\n      {\"n\": 2}", "\n    ]\n  }\n}\n\n"),
        ("\u{FEFF}{\"a\": 1, \"log\": {\"v\": 1.50, \"entries\": [", " {\"n\": 1} , 7", " \n ] } } "),
        (#"{"log":{"entries":["#, #"{"n":1}"#, #" ] , "pages" : [ ] , "_x" : 1.50 } , "z" : "\ud83d" }"#),
        (#"{"log":{"entries":["#, "", #"],"_x":{"entries":[1]}},"log":{"entries":[2]}}"#),
        (#"{"log":{"entries":["#, #"{"n":1}"#, "],\"_big\":\"" + String(repeating: "x", count: 300_000) + "\"}}"),
        (#"{"log":{"entries":["#, #"{"n":1}"#, String(repeating: " ", count: 3000) + "]}}"),
    ]

    @Test(arguments: archives.indices)
    func `existing content is preserved byte for byte`(index: Int) throws {
        let (head, entries, tail) = Self.archives[index]
        let file = try folder.file("a.har", holding: head + entries + tail)
        let old = try HAR.Log(contentsOf: file)
        for number in 0..<3 {
            let writer = try HARWriter(appendingTo: file)
            try writer.append(.numbered(2 * number))
            #expect(try HAR.Log(contentsOf: file).entries.count == old.entries.count + 2 * number + 1)
            try writer.append(.numbered(2 * number + 1, size: 70_000))
            #expect(try HAR.Log(contentsOf: file).entries.count == old.entries.count + 2 * number + 2)
            try writer.finish()
        }
        let text = try Data(contentsOf: file)
        #expect(text.starts(with: (head + entries).utf8))
        #expect(text.suffix(tail.utf8.count).elementsEqual(tail.utf8))
        var log = try HAR.Log(contentsOf: file)
        #expect(log.entries == old.entries + [0, 1, 2, 3, 4, 5].map { .numbered($0, size: $0 % 2 == 0 ? 6 : 70_000) })
        log.entries = old.entries
        #expect(log == old)
    }

    @Test(arguments: [
        #"{"log":{}}"#, #" {"log": {"version": "1.2"}, "z": 1} "#, #"{"log":1,"log":{"a":{"entries":[]}}}"#,
    ])
    func `entries can be appended to an archive without an entries field`(text: String) throws {
        let file = try folder.file("a.har", holding: text)
        try HARWriter(appendingTo: file).append(.numbered(0))
        var log = try HAR.Log(contentsOf: file)
        #expect(log.entries == [.numbered(0)])
        log.fields["entries"] = nil
        let reader = HARReader(data: Data(text.utf8))
        reader.requiresEntries = false
        while try reader.nextEvent() != nil {}
        let old = reader.log
        #expect(log.fields == old.fields)
        #expect(log.documentFields == old.documentFields)
    }

    @Test func `entries of another archive are appended byte for byte`() throws {
        let text = #"{ "b" : 1.50,"b":"\ud83d" }"#
        let source = try folder.file("source.har", holding: #"{"log":{"entries":[1,\#(text)]}}"#)
        let file = folder.file("a.har")
        let writer = try HARWriter(appendingTo: file)
        try writer.append(entryAt: 0, of: HARArchive(contentsOf: source))
        #expect(try String(contentsOf: file, encoding: .utf8).contains(text))
        #expect(try HAR.Log(contentsOf: file).entries.count == 1)
    }

    @Test(arguments: ["a.har", "link.har"])
    func `the file's mode and a symbolic link to it are preserved`(name: String) throws {
        let file = try folder.file("a.har", holding: #"{"log":{"entries":[]}}"#)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: file.path)
        try FileManager.default.createSymbolicLink(at: folder.file("link.har"), withDestinationURL: file)
        try HARWriter(appendingTo: folder.file(name)).append(.numbered(0))
        #expect(try urls(in: file) == urls(0..<1))
        #expect(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int == 0o640)
        #expect(try folder.names == ["a.har", "link.har"])
    }

    @Test func `events that begin, end or describe the log are rejected`() throws {
        let writer = try HARWriter(appendingTo: folder.file("a.har"))
        for event in [HAREvent.beginLog, .beginEntries, .endEntries, .endLog, .field(.init(name: "a", value: 1))] {
            #expect(throws: HARError.self) { try writer.write(event) }
        }
        try writer.write(.unexpectedValue(7))
        try writer.append(.numbered(1))
        try writer.finish()
        let error = #expect(throws: HARError.self) { try writer.append(.numbered(0)) }
        #expect(error?.code == .invalidOrder)
        let reader = try HARReader(contentsOf: folder.file("a.har"))
        var strays = 0
        while let event = try reader.nextEvent() { strays += event == .unexpectedValue(7) ? 1 : 0 }
        #expect(strays == 1)
    }

    @Test func `ten thousand entries can be appended`() throws {
        let file = folder.file("a.har")
        let writer = try HARWriter(appendingTo: file)
        for number in 0..<10_000 { try writer.append(.numbered(number)) }
        #expect(try urls(in: file) == urls(0..<10_000))
    }

    @Test(
        arguments: [JSONLayout.unchanged, .compact, .pretty],
        [#"{"log":{"entries":[]}}"#, #"{"log":{"entries":[{}]}}"#, ""])
    func `entries whose text was created before are appended like others`(layout: JSONLayout, old: String) throws {
        let file = folder.file("a.har")
        let texts = try [false, true].map { isText in
            try Data(old.utf8).write(to: file)
            let writer = try HARWriter(appendingTo: file, configuration: configuration(layout))
            for entry in [HAR.Entry.numbered(0), .numbered(1)] {
                if isText {
                    try writer.append(appendable: HARWriter.appendableText(of: entry, layout: layout))
                } else {
                    try writer.append(entry)
                }
            }
            try writer.finish()
            return try String(contentsOf: file, encoding: .utf8)
        }
        #expect(texts[0] == texts[1])
    }
}
