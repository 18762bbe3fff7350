@testable import ArchiveChecking
@testable import ArchiveRepair
import Foundation
import Testing

@testable import HTTPArchive

/// An archive with conforming entries, and the result of repairing a damaged variant of it.
struct RepairedArchiveText {
    /// Returns the text of a conforming entry.
    static func entry(_ number: Int) -> String {
        #"{"startedDateTime":"2026-01-01T00:00:0\#(number).000Z","time":1,"request":{"method":"GET","#
            + #""url":"http://a.test/\#(number)?x=1","httpVersion":"HTTP/1.1","cookies":[],"#
            + #""headers":[{"name":"A","value":"b"}],"queryString":[{"name":"x","value":"1"}],"headersSize":-1,"#
            + #""bodySize":-1},"response":{"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],"#
            + #""headers":[],"content":{"size":2,"mimeType":"text/plain","text":"hi"},"redirectURL":"","#
            + #""headersSize":-1,"bodySize":-1},"cache":{},"timings":{"send":0,"wait":1,"receive":0}}"#
    }

    static let head = #"{"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":["#

    /// Returns the text of an archive with conforming entries.
    static func archive(_ entries: [String]) -> String { head + entries.joined(separator: ",\n") + "]}}" }

    /// An archive with three entries.
    static let whole = archive((1...3).map(entry))

    /// Returns an archive whose second entry is changed.
    static func changing(_ old: String, _ new: String) throws -> String {
        let changed = entry(2).replacing(old, with: new, maxReplacements: 1)
        try #require(changed != entry(2))
        return archive([entry(1), changed, entry(3)])
    }

    let repair: HARRepair
    let notes: [RepairNote]
    let log: HAR.Log
    let text: String

    /// Repairs text, and requires that the result has no errors and needs no further repair.
    init(_ text: some Collection<UInt8>, brokenEntries: HARRepair.BrokenEntries = .refused) throws {
        let folder = try TemporaryFolder()
        let file = folder.file("a.har")
        try Data(text).write(to: file)
        var dry: [RepairNote] = []
        let plan = try HARRepair(of: file, to: .none, brokenEntries: brokenEntries, report: { dry.append($0) })
        #expect(try Data(contentsOf: file) == Data(text))
        var notes: [RepairNote] = []
        repair = try HARRepair(of: file, brokenEntries: brokenEntries, report: { notes.append($0) })
        self.notes = notes
        self.text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        log = try HAR.Log(contentsOf: file)
        #expect(repair.entryCount == log.entries.count)
        #expect(repair.removedByteCount ?? 0 == plan.removedByteCount ?? 0)
        if repair.removedByteCount == nil { #expect(notes == dry) }
        try HARChecker.check(contentsOf: file) { #expect($0.severity != .error, "\($0)") }
        let again = try HARRepair(of: file)
        #expect(again.brokenEntryCount == nil && again.entryCount == repair.entryCount, "\(self.text)")
    }

    init(_ text: String) throws { try self.init(text.utf8) }

    /// The kinds of repairs, in the order of the file.
    var kinds: [String] { notes.map(\.kind.rawValue) }
}
