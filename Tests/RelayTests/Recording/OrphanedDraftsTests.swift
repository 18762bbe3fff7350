import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayURLSession

@Suite(.limited) struct OrphanedDraftsTests {
    private let archives: TemporaryArchives
    private let shop: URL

    init() throws {
        archives = try TemporaryArchives()
        shop = archives.folder.appendingPathComponent("shop.har")
    }

    private func draft() -> RecordingDraft { RecordingDraft(of: shop, from: RecordingPlan()) }

    /// Writes an unlocked draft, as left behind by a process that was killed while recording.
    private func leave(_ name: String) throws { try archives.write(name, saying: "left") }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: archives.folder.path).sorted()
    }

    private func append(_ text: String, to draft: RecordingDraft) throws {
        try draft.append(.entry("GET", "http://a/", text: text), number: 1, replacing: .nothing)
    }

    @Test func `recording to an archive removes its older orphaned drafts`() throws {
        try leave("shop.har.1f.recording")
        let draft = draft()
        try draft.begin()
        try append("new", to: draft)
        #expect(try names().count == 2)
        _ = try draft.takePlace(page: nil)
        #expect(try names() == ["shop.har"])
    }

    @Test func `newer drafts and other files are not removed`() throws {
        let others = ["shop.har.notes.recording", "other.har.1f.recording", "shop.har.1f.part", "shop.har.recording"]
        for name in others { try leave(name) }
        let draft = draft()
        try draft.begin()
        try leave("shop.har.2e.recording")
        try append("new", to: draft)
        _ = try draft.takePlace(page: nil)
        #expect(try names() == (others + ["shop.har", "shop.har.2e.recording"]).sorted())
    }

    @Test func `drafts of active recordings are not removed`() throws {
        let (first, second) = (draft(), draft())
        try first.begin()
        try append("first", to: first)
        try second.begin()
        try append("second", to: second)
        _ = try second.takePlace(page: nil)
        _ = try first.takePlace(page: nil)
        #expect(try HAR.Log(contentsOf: shop).entries.map(\.response.content.text) == ["second", "first"])
        #expect(try names() == ["shop.har"])
    }

    @Test(arguments: [false, true]) func `a discarded recording removes only its own draft`(isEmpty: Bool) throws {
        try leave("shop.har.1f.recording")
        let draft = draft()
        try draft.begin()
        if isEmpty {
            _ = try draft.takePlace(page: nil)
        } else {
            try append("new", to: draft)
            draft.discard()
        }
        #expect(try names() == ["shop.har.1f.recording"])
    }
}
