import Foundation
import Synchronization
import Testing

@testable import HTTPArchive

/// An archive that another writer changes while it is opened.
@Suite(.limited) struct ChangingArchiveTests {
    /// A change of the file.
    enum Change: CaseIterable {
        case append, appendSeveral, truncate, empty, overwrite
    }

    private static let start = #"{"log":{"entries":["#

    private static func entry(_ number: Int, length: Int = 10) -> String {
        #"{"startedDateTime":"2026-01-01T00:00:00Z","time":\#(number),"comment":"\#(String(repeating: "x", count: length))"}"#
    }

    /// Changes a file in place, as a recorder does.
    private static func make(_ change: Change, of url: URL) throws {
        let file = try FileHandle(forUpdating: url)
        let size = try file.seekToEnd()
        switch change {
        case .append:
            try file.seek(toOffset: size - 3)
            try file.write(contentsOf: Data(",\(entry(1000))]}}".utf8))
        case .appendSeveral:
            try file.seek(toOffset: size - 3)
            let entries = (1...50).map { "," + entry(1000 + $0, length: 20_000) }.joined()
            try file.write(contentsOf: Data("\(entries)]}}".utf8))
        case .truncate: try file.truncate(atOffset: size / 2)
        case .empty: try file.truncate(atOffset: 0)
        case .overwrite:
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(repeating: UInt8(ascii: "["), count: Int(size) + 100))
        }
        try file.close()
    }

    /// The file is changed after a number of calls of the progress handler.
    @Test(arguments: Change.allCases, [(1, 10), (3, 10), (200, 10), (40, 100_000)])
    func `an archive that changes while it is opened can be read or is reported`(
        change: Change, content: (count: Int, length: Int)
    ) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.har")
        let entries = (0..<content.count).map { Self.entry($0, length: content.length) }.joined(separator: ",")
        for delay in 0..<6 {
            try Data("\(Self.start)\(entries)]}}".utf8).write(to: url)
            let calls = Mutex(0)
            let archive: HARArchive
            do {
                archive = try HARArchive(contentsOf: url) { _ in
                    let number = calls.withLock { calls in
                        calls += 1
                        return calls
                    }
                    if number == delay + 1 { try? Self.make(change, of: url) }
                }
            } catch {
                #expect(![.append, .appendSeveral].contains(change), "\(error)")
                continue
            }
            for index in 0..<archive.count { _ = try? archive.entry(at: index) }
            if change == .append || change == .appendSeveral {
                #expect(archive.damage == nil && archive.count >= content.count)
                #expect(try archive.entry(at: archive.count - 1).time != nil)
            }
        }
    }
}
