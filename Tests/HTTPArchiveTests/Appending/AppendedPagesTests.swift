import Foundation
import Testing

@testable import HTTPArchive

/// Appending pages to an archive.
@Suite(.limited) struct AppendedPagesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func page(_ number: Int) -> HAR.Page {
        HAR.Page(startedDateTime: "2009-04-16T12:07:23.596Z", id: "page_\(number)", title: "")
    }

    private func ids(in file: URL) throws -> [String] { try (HAR.Log(contentsOf: file).pages ?? []).map(\.id) }

    @Test(arguments: [
        "", #"{"log":{"entries":[],"pages":[]}}"#, #"{"log":{"pages":[],"entries":[{"n":1.50}],"z":[]}}"#,
        #"{"log":{"version":"1.2","pages" : [ ] , "entries":[ ] , "_x":1},"y":2}"#,
    ])
    func `pages and entries can be appended in any order`(text: String) throws {
        let file = try folder.file("a.har", holding: text)
        let old = text.isEmpty ? 0 : try HAR.Log(contentsOf: file).entries.count
        let writer = try HARWriter(appendingTo: file)
        for number in 0..<30 {
            try writer.append(page(number))
            #expect(try ids(in: file) == (0...number).map { "page_\($0)" })
            try writer.append(.numbered(number, size: 4000))
            #expect(try HAR.Log(contentsOf: file).entries.count == old + number + 1)
        }
        try writer.finish()
        let again = try HARWriter(appendingTo: file)
        try again.append(page(30))
        try again.finish()
        #expect(try ids(in: file) == (0...30).map { "page_\($0)" })
        let log = try HAR.Log(contentsOf: file)
        #expect(Array(log.entries.suffix(30)) == (0..<30).map { .numbered($0, size: 4000) })
        #expect(try Data(contentsOf: file).count < 220_000)
        #expect(try folder.names == ["a.har"])
    }

    @Test func `appending a page fails if the archive's pages are not an array`() throws {
        let text = #"{"log":{"entries":[],"pages":{"no":1}}}"#
        let file = try folder.file("a.har", holding: text)
        let writer = try HARWriter(appendingTo: file)
        let error = #expect(throws: HARError.self) { try writer.append(page(0)) }
        #expect(error?.code == .notAnArchive)
        try writer.append(.numbered(0))
        #expect(try urls(in: file) == urls(0..<1))
    }

    @Test func `a new archive stores its pages after the entries`() throws {
        let file = folder.file("a.har")
        let writer = try HARWriter(to: file)
        try writer.append(page(0))
        try writer.append(.numbered(0))
        try writer.append(page(1))
        try writer.finish()
        #expect(try ids(in: file) == ["page_0", "page_1"])
        #expect(throws: HARError.self) { try writer.append(page(2)) }
    }
}
