import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct DamagedIndexTests {
    private static let text = #"""
        {"log":{"version":"1.2","entries":[
          {"pageref":"p","startedDateTime":"2026-01-01","time":1.5,"request":{"method":"GET","url":"/a"},
           "response":{"status":200,"content":{"size":3,"mimeType":"text/plain"}}},
          {"_resourceType":"xhr","request":{"method":"PUT","url":"/b"},"response":{"status":99999999999}}
        ],"pages":[]}}
        """#

    @Test func `an index truncated at any byte is not used`() throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        #expect(try archive.kept() != nil)
        for count in Cases.some(100, of: bytes.indices) {
            try archive.write(index: bytes.prefix(count))
            #expect(try archive.kept() == nil, "truncated at \(count)")
        }
        for more in [1, 8, 32] {
            try archive.write(index: bytes + [UInt8](repeating: 0, count: more))
            #expect(try archive.kept() == nil)
        }
    }

    @Test(arguments: [0x01, 0x80, 0xFF] as [UInt8])
    func `an index with any byte changed is not used`(change: UInt8) throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        for place in Cases.some(100, of: bytes.indices) {
            var changed = bytes
            changed[place] ^= change
            try archive.write(index: changed)
            #expect(try archive.kept() == nil, "changed at \(place)")
        }
    }

    @Test(arguments: [0x01, 0x7F, 0x80, 0xFF] as [UInt8])
    func `an index with any byte changed and a correct hash is rejected or has valid ranges`(change: UInt8) throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        var usable = 0
        for place in Cases.some(120, of: bytes.indices.dropLast(8)) {
            var changed = bytes
            changed[place] ^= change
            try archive.write(index: ForgedIndex.withValidHash(changed))
            let opened = try HARArchive(contentsOf: archive.url, index: .use(in: .file(archive.index)))
            guard try archive.kept() != nil else { continue }
            usable += 1
            for index in 0..<opened.count {
                let range = opened.summary(at: index).byteRange
                #expect(range.lowerBound >= 0 && range.upperBound <= Self.text.utf8.count)
                _ = try? opened.entry(at: index)
            }
        }
        // Some changed indices remain usable, for example if only a letter of a URL was changed.
        #expect(usable > 0)
    }

    @Test func `an index whose range of entries starts at a wrong offset is not used`() throws {
        let text = #"{"log":{"pages":[{"id":"[ [] a text"}],"entries":[{"a":[]}],"comment":"[]"}}"#
        let archive = try KeptArchive(text)
        let bytes = try archive.keep()
        let range = try #require(try archive.kept()).entriesRange
        for start in 0...text.utf8.count where start != range.lowerBound {
            let moved = ForgedIndex.setting(UInt64(start), at: 32, in: bytes)
            for end in Cases.some(12, of: start...text.utf8.count) {
                try archive.write(index: ForgedIndex.withValidHash(ForgedIndex.setting(UInt64(end), at: 40, in: moved)))
                #expect(try archive.kept() == nil, "\(start)..<\(end)")
            }
        }
    }

    @Test(arguments: 0..<8)
    func `an index with several words changed and a correct hash is rejected or has valid ranges`(seed: UInt64) throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        var generator = SeededGenerator(seed: seed)
        let words: [UInt64] = [0, 1, 2, 1 << 31, 1 << 32, 1 << 62, 1 << 63, .max, .max - 1]
        for _ in 0..<Cases.count(60, orAll: 300) {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                let word = words[Int.random(in: words.indices, using: &generator)]
                let place = 16 + 8 * Int.random(in: 0..<(bytes.count - 32) / 8, using: &generator)
                changed = ForgedIndex.setting(word, at: place, in: changed)
            }
            try archive.write(index: changed)
            guard let kept = try archive.kept() else { continue }
            for index in 0..<kept.table.count {
                #expect(kept.table[index].byteRange.upperBound <= Self.text.utf8.count)
            }
        }
    }

    /// The offsets of numbers in the header and in the first segment.
    @Test(arguments: [24, 32, 40, 48, 56, 64, 72, 80, 128, 136, 144, 152, 160, 168])
    func `no memory is allocated for counts that exceed the size of the index`(place: Int) throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        for count in [Int64.max, .max / 48, 1 << 40, 1 << 32, -1, .min] {
            try archive.write(index: ForgedIndex.setting(count, at: place, in: bytes))
            #expect(try archive.kept() == nil, "\(count) at \(place)")
        }
    }

    @Test func `an index with another version or format, an empty file, a folder and a missing file are not used`()
        throws
    {
        let archive = try KeptArchive(Self.text)
        #expect(try archive.kept() == nil)
        let bytes = try archive.keep()
        for version in [0, 1, 2, 3, 5, 256, .max] as [UInt32] {
            try archive.write(index: ForgedIndex.setting(version, at: 8, in: bytes))
            #expect(try archive.kept() == nil)
        }
        for text in ["", "HARINDEX", Self.text] {
            try archive.write(index: text.utf8)
            #expect(try archive.kept() == nil)
        }
        try FileManager.default.removeItem(at: archive.index)
        try FileManager.default.createDirectory(at: archive.index, withIntermediateDirectories: false)
        #expect(try archive.kept() == nil)
    }

    @Test func `brackets at wrong offsets are rejected`() throws {
        let archive = try KeptArchive(Self.text)
        let bytes = try archive.keep()
        let place = try archive.opened().indexed.entriesRange
        for start in [0, 1, place.lowerBound - 1, place.lowerBound + 1] {
            try archive.write(index: ForgedIndex.setting(start, at: 32, in: bytes))
            #expect(try archive.kept() == nil)
        }
        for end in [place.upperBound - 1, place.upperBound + 1, Self.text.utf8.count] {
            try archive.write(index: ForgedIndex.setting(end, at: 40, in: bytes))
            #expect(try archive.kept() == nil)
        }
    }
}
