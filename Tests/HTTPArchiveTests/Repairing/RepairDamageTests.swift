@testable import ArchiveRepair
import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

/// Damage at random offsets of an archive, which must not affect other entries.
@Suite(.limited) struct RepairDamageTests {
    private typealias Text = RepairedArchiveText

    /// Returns the text of an entry with lists and objects of several levels.
    private static func entry(_ number: Int) -> String {
        let headers = (0..<4).map { "{\"name\":\"H\($0)\",\"value\":\"a, {b}: [\($0)]\"}" }.joined(separator: ",")
        let body = #"{\"log\":{\"entries\":[{\"request\":{},\"response\":{},\"n\":\#(number)}]}}"#
        return Text.entry(1).replacing("/1?x=1", with: "/\(number)?x=1")
            .replacing(#""headers":[]"#, with: "\"headers\":[\(headers)]").replacing(
                #""text":"hi""#, with: "\"text\":\"\(body)\""
            )
            .replacing(#""cache":{}"#, with: #""_frames":[{"data":"x","_times":[1,2]}],"cache":{}"#)
    }

    private static let entries = (1...30).map(entry)

    /// Returns the variant of an archive with one entry, name or value per line.
    private static func indented(_ text: String) -> String {
        var generated = ""
        var isString = false
        var previous: Character = " "
        for character in text {
            generated.append(character)
            if character == "\"", previous != "\\" { isString.toggle() }
            if !isString, "{[,".contains(character) { generated += "\n  " }
            previous = character
        }
        return generated
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func `entries outside of the damage are kept`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let isIndented = seed % 2 == 0
        let entries = isIndented ? Self.entries.map(Self.indented) : Self.entries
        let text = Array(Text.archive(entries).utf8)
        var ranges: [Range<Int>] = []
        var start = Text.head.utf8.count
        for entry in entries {
            ranges.append(start..<start + entry.utf8.count)
            start += entry.utf8.count + 2
        }
        for _ in 0..<Cases.count(4, orAll: 25) {
            let size = 1 << Int.random(in: 0...12, using: &generator)
            let offset = Int.random(in: ranges[0].lowerBound..<ranges[29].upperBound - size, using: &generator)
            var damaged = text
            if Bool.random(using: &generator) {
                damaged.removeSubrange(offset..<offset + size)
            } else {
                damaged.replaceSubrange(offset..<offset + size, with: Array(repeating: 0, count: size))
            }
            let title = "seed \(seed), \(size) bytes at \(offset), \(damaged.count == text.count ? "zeros" : "cut")"
            let result = try Text(damaged, brokenEntries: .dropped)
            let kept = result.text
            let first = try #require(ranges.firstIndex { $0.upperBound > offset })
            let last = ranges.lastIndex { $0.lowerBound < offset + size } ?? first
            for index in ranges.indices where index < first - 1 || index > last + 1 {
                #expect(kept.contains(entries[index]), "\(title): entry \(index)")
            }
        }
    }
}
