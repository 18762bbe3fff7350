import Foundation
import Synchronization
import Testing

@testable import HTTPArchive

@Suite(.limited) struct OpeningProgressTests {
    private func archive(_ entries: String, in folder: TemporaryFolder) throws -> (url: URL, size: Int) {
        let text = Data(#"{"log":{"entries":["#.utf8) + Data(entries.utf8) + Data("]}}".utf8)
        let url = folder.url.appendingPathComponent("a.har")
        try text.write(to: url)
        return (url, text.count)
    }

    @Test(arguments: [0, 1, 3_000_000])
    func `opening an archive reports progress, and reading entries later does not`(length: Int) throws {
        let folder = try TemporaryFolder()
        let text = String(repeating: "x", count: length)
        let (url, size) = try archive(#"{"a":"\#(text)"}, 2, {"b":{}}"#, in: folder)
        let read = Mutex(0)
        let archive = try HARArchive(contentsOf: url) { count in read.withLock { $0 = max($0, count) } }
        let atEnd = read.withLock { $0 }
        #expect(atEnd >= size)
        _ = try archive.entry(at: 0)
        #expect(read.withLock { $0 } == atEnd)
    }

    @Test func `opening an archive with a saved index reports no progress`() throws {
        let folder = try TemporaryFolder()
        let url = try archive("{}", in: folder).url
        let index = HARArchive.IndexLocation.file(folder.url.appendingPathComponent("index"))
        let later = Date(timeIntervalSinceNow: 3600)
        _ = try HARArchive(contentsOf: url, index: .keep(in: index), at: later)
        let isCalled = Mutex(false)
        _ = try HARArchive(
            contentsOf: url, index: .use(in: index), progress: { _ in isCalled.withLock { $0 = true } },
            at: later)
        #expect(!isCalled.withLock { $0 })
    }
}
