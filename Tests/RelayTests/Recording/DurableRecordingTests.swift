import Foundation
import Relay
import Synchronization
import Testing

@testable import HTTPArchive
@testable import RelayCore
@testable import RelayURLSession

/// The order in which a recording is written to disk and its draft is deleted.
@Suite(.limited) struct DurableRecordingTests {
    /// A log of the system calls for an archive.
    private final class NotedCalls: @unchecked Sendable {
        /// The calls in order, such as `write archive` or `sync folder`, and whether the draft was missing at the time.
        var events: [String] = []

        /// Whether syncing fails.
        var fails = false

        private let folder: URL

        init(of folder: URL) { self.folder = folder }

        var drafts: [String] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasSuffix(".recording") }
        }

        var calls: FileSystemCalls {
            let system = FileSystemCalls()
            var calls = FileSystemCalls()
            calls.write = { descriptor, bytes, place in
                self.note("write", descriptor)
                return system.write(descriptor, bytes, place)
            }
            calls.synchronize = { descriptor in
                self.note("sync", descriptor)
                return self.fails ? -1 : system.synchronize(descriptor)
            }
            return calls
        }

        private func note(_ call: String, _ descriptor: Int32) {
            let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")) ?? ""
            let name = URL(fileURLWithPath: path).lastPathComponent
            let kind = name == "shop.har" ? "archive" : path == folder.path ? "folder" : "new file"
            events.append("\(call) \(kind)\(drafts.count == 1 ? "" : " without its draft")")
        }
    }

    private let archives: TemporaryArchives
    private let shop: URL

    init() throws {
        archives = try TemporaryArchives()
        shop = archives.folder.appendingPathComponent("shop.har")
    }

    private func record(_ replacement: Replacement, _ noted: NotedCalls) throws {
        try FileSystemCalls.$current.withValue(noted.calls) { try record(replacement) }
    }

    private func record(_ replacement: Replacement) throws {
        let draft = RecordingDraft(of: shop, from: RecordingPlan())
        try draft.begin()
        try draft.append(.entry("GET", "http://a/", text: "new"), number: 1, replacing: replacement)
        let page = HAR.Page(startedDateTime: "2026-01-01T00:00:00.000Z", id: "A/a", title: "A/a")
        do {
            _ = try draft.takePlace(page: page)
        } catch {
            _ = draft.leave(after: error)
            throw error
        }
    }

    #if os(Linux)
        @Test func `an extended archive is on disk before its draft is deleted`() throws {
            try archives.write("shop.har", saying: "old")
            let noted = NotedCalls(of: archives.folder)
            try record(.nothing, noted)
            #expect(noted.events.contains("write archive"))
            #expect(noted.events.last == "sync archive")
            #expect(noted.events.allSatisfy { !$0.contains("without") }, "\(noted.events)")
            #expect(noted.drafts.isEmpty)
        }

        @Test(arguments: [true, false])
        func `a rewritten archive is on disk before its draft is deleted`(isThere: Bool) throws {
            if isThere { try archives.write("shop.har", saying: "old") }
            let noted = NotedCalls(of: archives.folder)
            try record(.everything, noted)
            #expect(noted.events.suffix(2) == ["sync new file", "sync folder"], "\(noted.events)")
            #expect(noted.events.allSatisfy { !$0.contains("without") }, "\(noted.events)")
            #expect(noted.drafts.isEmpty)
        }
    #endif

    @Test(arguments: [true, false])
    func `a draft is kept if its archive cannot be synchronized to disk`(isThere: Bool) throws {
        if isThere { try archives.write("shop.har", saying: "old") }
        let noted = NotedCalls(of: archives.folder)
        noted.fails = true
        let error = #expect(throws: HARError.self) { try record(.everything, noted) }
        #expect(error?.code == .unwritableFile)
        let draft = try #require(noted.drafts.first)
        let texts = try HAR.Log(contentsOf: archives.folder.appendingPathComponent(draft)).entries
        #expect(texts.map(\.response.content.text) == ["new"])
        if isThere { #expect(try HAR.Log(contentsOf: shop).entries.map(\.response.content.text) == ["old"]) }
    }
}
