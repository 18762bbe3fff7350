import Foundation
import HTTPArchive
import Measuring

/// Tasks that use an archive without a session.
enum Reading {
    /// Decodes every field of every entry to a Swift value.
    static func decode(_ url: URL) throws -> Outcome {
        var text = Text()
        var entries = 0
        let seconds = try seconds {
            let reader = try HARReader(contentsOf: url)
            while let entry = try reader.nextEntry() {
                text.add(entry)
                entries += 1
            }
        }
        return Outcome(seconds: seconds, entries: entries, text: text.size)
    }

    /// Reads only the method, URL and status of each entry.
    static func pass(_ url: URL) throws -> Outcome {
        var text = Text()
        var entries = 0
        let seconds = try seconds {
            let reader = try HARReader(contentsOf: url)
            while let entry = try reader.nextEntry() {
                text.add(entry.request.method)
                text.add(entry.request.url)
                text.add(entry.response.status)
                entries += 1
            }
        }
        return Outcome(seconds: seconds, entries: entries, text: text.size)
    }

    /// Opens the archive for random access.
    static func open(_ url: URL) throws -> Outcome {
        let before = residentMemory() ?? 0
        var archive: HARArchive?
        let seconds = try seconds { archive = try HARArchive(contentsOf: url) }
        let kept = residentMemory().map { $0 - before }
        return Outcome(seconds: seconds, entries: archive?.count, kept: kept)
    }

    /// Opens the archive with a saved index.
    static func kept(_ url: URL) throws -> Outcome {
        let index = FileManager.default.temporaryDirectory.appendingPathComponent("kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: index) }
        try keepIndex(of: url, in: index)
        let before = residentMemory() ?? 0
        var archive: HARArchive?
        let seconds = try seconds { archive = try HARArchive(contentsOf: url, index: .use(in: .file(index))) }
        let kept = residentMemory().map { $0 - before }
        return Outcome(seconds: seconds, entries: archive?.count, kept: kept)
    }

    /// Writes the index and closes the archive.
    private static func keepIndex(of url: URL, in index: URL) throws {
        try HARArchive(contentsOf: url).writeIndex(to: .file(index))
    }

    /// Reads a thousand entries of an open archive in random order.
    static func random(_ url: URL) throws -> Outcome {
        let archive = try HARArchive(contentsOf: url)
        var generator = SeededGenerator(state: 4)
        var text = Text()
        let seconds = try seconds {
            for _ in 0..<1_000 {
                text.add(try archive.entry(at: .random(in: 0..<archive.count, using: &generator)))
            }
        }
        return Outcome(seconds: seconds, entries: archive.count, text: text.size)
    }
}
