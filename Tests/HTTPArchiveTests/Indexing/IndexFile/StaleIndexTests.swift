import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct StaleIndexTests {
    private static let text = #"{"log":{"entries":[{"request":{"url":"/a"}},{"request":{"url":"/b"}}]}}"#
    private static let other = #"{"log":{"entries":[{"request":{"url":"/c"}},{"request":{"url":"/d"}}]}}"#

    /// Returns the URLs of an archive that is opened with its index.
    private func urls(of archive: KeptArchive, _ use: HARArchive.IndexUse? = nil) throws -> [String] {
        let opened = try HARArchive(contentsOf: archive.url, index: use ?? .use(in: .file(archive.index)))
        return (0..<opened.count).map { opened.summary(at: $0).url }
    }

    @Test func `an index is not used if the archive's size has changed`() throws {
        let archive = try KeptArchive(Self.text)
        try archive.keep()
        try archive.write((Self.other + " ").utf8)
        #expect(try archive.kept() == nil)
        #expect(try urls(of: archive) == ["/c", "/d"])
    }

    @Test(arguments: [-1, 1e-6, 1, 1e6])
    func `an index is not used if the archive's modification time has changed`(difference: TimeInterval) throws {
        let archive = try KeptArchive(Self.text)
        try archive.keep()
        try archive.write(Self.text.utf8, at: KeptArchive.date + difference)
        #expect(try archive.kept() == nil)
    }

    @Test func `an index is not used if only the archive's content has changed`() throws {
        let archive = try KeptArchive(Self.text)
        try archive.keep()
        try archive.write(Self.other.utf8)
        #expect(try archive.kept() == nil)
        #expect(try urls(of: archive) == ["/c", "/d"])
    }

    @Test func `both ends of a large archive, and samples between them, are compared`() throws {
        let entries = [String](repeating: #"{"request":{"url":"/a"}}"#, count: 40_000).joined(separator: ",")
        let text = Array(#"{"log":{"entries":[\#(entries)],"x":0}}"#.utf8)
        let archive = try KeptArchive(text)
        try archive.keep()
        let step = (text.count - 4_096) / 33
        for place in [20, 65_535, step * 7 + 4_095, text.count - 4] {
            var changed = text
            changed[place] ^= 1
            try archive.write(changed)
            #expect(try archive.kept() == nil, "\(place)")
        }
        // As documented, this change is not detected.
        var changed = text
        let unseen = try #require(changed[(step * 7 + 5_000)...].firstIndex(of: UInt8(ascii: "a")))
        changed[unseen] = UInt8(ascii: "b")
        try archive.write(changed)
        #expect(try archive.kept() != nil)
    }

    @Test func `the index of another archive is not used`() throws {
        let archive = try KeptArchive(Self.text)
        let other = try KeptArchive(Self.other)
        try archive.write(index: other.keep())
        #expect(try archive.kept() == nil)
        #expect(try urls(of: archive) == ["/a", "/b"])
    }

    @Test func `an outdated index is replaced with the keep option and left unchanged with the use option`() throws {
        let archive = try KeptArchive(Self.text)
        let old = try archive.keep()
        try archive.write(Self.other.utf8)
        #expect(try urls(of: archive) == ["/c", "/d"])
        #expect(try [UInt8](Data(contentsOf: archive.index)) == old)
        #expect(try urls(of: archive, .keep(in: .file(archive.index))) == ["/c", "/d"])
        #expect(try archive.kept() != nil)
        #expect(try [UInt8](Data(contentsOf: archive.index)) != old)
    }

    @Test func `an index with an entry over the size limit, or with too many entries, is not used`() throws {
        let archive = try KeptArchive(Self.text)
        try archive.keep()
        var configuration = HARReader.Configuration()
        configuration.maximumEntryCount = 2
        configuration.maximumValueSize = 24
        #expect(try archive.kept(configuration) != nil)
        configuration.maximumEntryCount = 1
        #expect(try archive.kept(configuration) == nil)
        configuration.maximumEntryCount = 2
        configuration.maximumValueSize = 23
        #expect(try archive.kept(configuration) == nil)
        let error = #expect(throws: HARError.self) {
            _ = try HARArchive(
                contentsOf: archive.url, configuration: configuration, index: .use(in: .file(archive.index)))
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func `the index of a completely parsed archive is used if its depth is within the limit`() throws {
        let archive = try KeptArchive(#"{"log":{"entries":[7,{"a":[[]]}]}}"#)
        var configuration = HARReader.Configuration()
        configuration.maximumDepth = 6
        try archive.keep(configuration)
        #expect(try archive.kept(configuration) != nil)
        #expect(try archive.kept() != nil)
        configuration.maximumDepth = 5
        #expect(try archive.kept(configuration) == nil)
    }

    @Test func `the limit on the number of fields also applies to a saved index`() throws {
        let archive = try KeptArchive(#"{"log":{"a":1,"b":2,"entries":[]}}"#)
        try archive.keep()
        var configuration = HARReader.Configuration()
        configuration.maximumFieldCount = 1
        #expect(try archive.kept(configuration) == nil)
    }
}
