import Foundation
import Synchronization
import Testing

@testable import HTTPArchive

@Suite(.limited) struct SelectingValidationTests {
    private func archive(_ entries: [String]) throws -> (archive: HARArchive, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        try Data(#"{"log":{"entries":[\#(entries.joined(separator: " ,\n"))]}}"#.utf8).write(to: url)
        return (try HARArchive(contentsOf: url), folder)
    }

    private func entry(_ index: Int, size: Int) -> String {
        #"{"index":\#(index),"request":{"url":"https://a.test/\#(index)"},"x":"\#(String(repeating: "x", count: size))"}"#
    }

    @Test func `every entry is selected by its own text, in order`() throws {
        // The entries fill several blocks, and some are larger than a block.
        let entries = (0..<600).map { entry($0, size: $0 % 100 == 7 ? 1_500_000 : $0 * 10) }
        let (archive, folder) = try archive(entries)
        defer { withExtendedLifetime(folder) {} }
        let texts = Mutex<[Int: Int]>([:])
        let result = archive.validate { index, text in
            let isOwn = String(decoding: text, as: UTF8.self) == entries[index]
            texts.withLock { $0[index, default: 0] += isOwn ? 1 : 1000 }
            return index % 3 == 0
        }
        #expect(result.selected == Array(stride(from: 0, to: 600, by: 3)))
        #expect(result.firstInvalid == nil)
        #expect(texts.withLock { $0 } == Dictionary(uniqueKeysWithValues: (0..<600).map { ($0, 1) }))
    }

    @Test func `no entry after an invalid one is selected`() throws {
        var entries = (0..<3000).map { entry($0, size: 1000) }
        entries[1700] = #"{"request":{"url":"https://a.test/"},"x":[1 2]}"#
        entries[2500] = #"{"request":{"url":"https://a.test/"},"x":[1 2]}"#
        let (archive, folder) = try archive(entries)
        defer { withExtendedLifetime(folder) {} }
        let result = archive.validate { _, _ in true }
        #expect(result.selected == Array(0..<1700))
        #expect(result.firstInvalid == 1700)
        #expect(archive.firstInvalidIndex() == 1700)
    }
}
