@testable import ArchiveChecking
@testable import ArchiveRepair
import Foundation
import PlantedSecrets
import TestSupport
import Testing

@testable import HTTPArchive

/// Breaks archives of the samples and the corpus in many ways and positions, and repairs them.
@Suite(.limited) struct RepairPropertyTests {
    private static let files: [URL] = {
        let samples = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../HARSamples")
        let names = ["chromium-omit.har", "firefox.har", "mitmproxy.har"]
        return names.map { samples.appending(path: $0) }
            + Corpus.archives
    }()

    /// A change that damages one token of an entry.
    private struct Damage {
        let title: String
        let accepts: (Substring) -> Bool
        let change: (Substring) -> String

        static var all: [Damage] {
            [
                Damage(title: "trailing comma", accepts: { "}]".contains($0) }, change: { ",\($0)" }),
                Damage(title: "comment", accepts: { $0 == "," }, change: { "\($0) // x\n/* y */" }),
                Damage(title: "two commas", accepts: { $0 == "," }, change: { "\($0) ," }),
                Damage(title: "control character", accepts: isString, change: { "\($0.dropLast())\n\u{1}\"" }),
                Damage(title: "escape", accepts: isString, change: { "\($0.dropLast())\\x41\\q\"" }),
                Damage(
                    title: "single quotes", accepts: { isString($0) && !$0.contains("'") },
                    change: { "'\($0.dropFirst().dropLast())'" }),
                Damage(title: "number as text", accepts: isNumber, change: { "\"\($0)\"" }),
                Damage(
                    title: "sign", accepts: isNumber, change: { $0.hasPrefix("-") ? "-0\($0.dropFirst())" : "+\($0)" }),
                Damage(title: "NaN", accepts: isNumber, change: { _ in "NaN" }),
                Damage(title: "null", accepts: isNumber, change: { _ in "null" }),
                Damage(title: "None", accepts: { isNumber($0) || $0 == "null" }, change: { _ in "None" }),
                Damage(title: "object for a list", accepts: { $0 == "[]" }, change: { _ in "{}" }),
                Damage(title: "Python", accepts: { $0 == "true" || $0 == "false" }, change: { String($0).capitalized }),
            ]
        }

        private static func isString(_ token: Substring) -> Bool { token.hasPrefix("\"") && token.count > 2 }

        private static func isNumber(_ token: Substring) -> Bool { token.first == "-" || token.first?.isNumber == true }
    }

    /// Returns the entries of an archive that needs no repair, as text.
    private static func entries(of file: URL, in folder: TemporaryFolder) throws -> (
        text: [UInt8], ranges: [Range<Int>]
    ) {
        let copy = folder.file("whole.har")
        try Data(contentsOf: file).write(to: copy)
        _ = try HARRepair(of: copy)
        let reader = try HARReader(contentsOf: copy)
        var ranges: [Range<Int>] = []
        while let entry = try reader.nextEntry() { ranges.append(try #require(entry.fields.byteRange)) }
        return ([UInt8](try Data(contentsOf: copy)), ranges)
    }

    @Test(arguments: files)
    func `a damaged entry is repaired, and all other entries stay the same`(file: URL) throws {
        let folder = try TemporaryFolder()
        let (text, ranges) = try Self.entries(of: file, in: folder)
        var generator = SeededGenerator(seed: UInt64(text.count))
        // The last string may be incomplete.
        let token = #/"(?:[^"\\]|\\.)*(?:"|$)|-?\d[\d.eE+-]*|true|false|null|\[\]|[\[\]{}:,]/#
        for damage in Cases.some(5, of: Damage.all) {
            guard let index = ranges.indices.randomElement(using: &generator) else { continue }
            let entry = String(decoding: text[ranges[index]], as: UTF8.self)
            let start = entry.prefix(20_000)
            let tokens = start.matches(of: token).filter {
                damage.accepts($0.output) && $0.range.upperBound < start.endIndex
            }
            guard let match = tokens.randomElement(using: &generator) else { continue }
            let damaged = entry.replacingCharacters(in: match.range, with: damage.change(match.output))
            let copy = folder.file("a.har")
            var changed = Array(text[..<ranges[index].lowerBound])
            changed += Array(damaged.utf8)
            changed += Array(text.dropFirst(ranges[index].upperBound))
            try Data(changed).write(to: copy)
            let title = "\(file.lastPathComponent), entry \(index): \(damage.title) at \(match.output.prefix(20))"
            let repair: HARRepair
            do {
                repair = try HARRepair(of: copy)
            } catch {
                Issue.record("\(title): \(error)")
                continue
            }
            #expect(repair.entryCount == ranges.count, "\(title)")
            try HARChecker.check(contentsOf: copy) { #expect($0.severity != .error, "\(title): \($0)") }
            let reader = try HARReader(contentsOf: copy)
            let data = [UInt8](try Data(contentsOf: copy))
            for other in ranges.indices {
                let range = try #require(try reader.nextEntry()?.fields.byteRange)
                #expect(other == index || data[range].elementsEqual(text[ranges[other]]), "\(title): entry \(other)")
            }
        }
    }
}
