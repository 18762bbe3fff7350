import Foundation
import Testing

@testable import HTTPArchive

/// Appending to archives from public sources.
@Suite(.limited) struct AppendingCorpusTests {
    @Test(.enabled(if: Corpus.folder != nil, Corpus.isThere), arguments: Corpus.files)
    func `appending entries preserves existing content byte for byte`(source: URL) throws {
        let reading = try HARReader(contentsOf: source)
        var event = try? reading.nextEvent()
        while let part = event, part != .beginEntries { event = try? reading.nextEvent() }
        guard event != nil, let start = reading.eventOffset, let old = try? HARArchive(contentsOf: source),
            old.damage == nil
        else { return }
        let text = try Data(contentsOf: source)
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        #expect(FileManager.default.createFile(atPath: file.path, contents: text))
        let writer = try HARWriter(appendingTo: file)
        for number in 0..<3 {
            try writer.append(.numbered(number))
            #expect(try HARArchive(contentsOf: file).count == old.count + number + 1)
        }
        try writer.finish()
        let new = try HARArchive(contentsOf: file)
        #expect(new.damage == nil)
        #expect(new.log == old.log)
        #expect(try Data(contentsOf: file).starts(with: text.prefix(start + 1)))
        var validator: JSONValidator?
        for index in 0..<old.count {
            #expect(new.summary(at: index) == old.summary(at: index))
            let text = try new.text(at: index, validatedBy: &validator)
            #expect(try old.text(at: index, validatedBy: &validator) == text)
        }
        #expect(try (0..<3).map { try new.entry(at: old.count + $0) } == (0..<3).map { .numbered($0) })
    }
}
