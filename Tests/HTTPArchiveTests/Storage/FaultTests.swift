@testable import ArchiveRepair
import FaultyDisk
import Foundation
import HTTPArchive
import TestSupport
import Testing

@testable import HTTPArchive

/// Every writer in HTTPArchive, with every kind of failure in every system call.
@Suite(.limited) struct FaultTests {
    private static let entries = (0..<4).map { #"{"request":{"method":"GET","url":"http://a/\#($0)"}}"# }

    /// Returns an archive with fields after its entries, which must be preserved.
    private static func archive(_ urls: [String]) -> String {
        let entries = urls.map { #"{"request":{"method":"GET","url":"\#($0)","headers":[\#(token)]}}"# }
        return
            #"{"log":{"version":"1.2","entries":[\#(entries.joined(separator: ","))],"comment":"kept","pages":[{"id":"p"}]}}"#
    }

    private static let token = #"{"name":"Authorization","value":"Bearer abcdefghijklmnopqrstuvwxyz"}"#

    private static func write(_ text: String, to name: String, in folder: URL) throws {
        try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }

    private static func text(_ name: String, in folder: URL) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// The acknowledged entries and page, and the errors.
    private struct Appended {
        var urls: [String] = []
        var hasPage = false
        var errors: [HARError] = []
    }

    private static func append(to folder: URL, _ flushing: HARWriter.Flushing) -> Appended {
        var done = Appended()
        do throws(HARError) {
            var configuration = HARWriter.Configuration()
            configuration.flushing = flushing
            let writer = try HARWriter(
                appendingTo: folder.appendingPathComponent("a.har"), configuration: configuration)
            for (index, text) in entries.enumerated() {
                do throws(HARError) {
                    try writer.append(HAR.Entry(fields: try JSONValue(parsing: text).object ?? [:]))
                    done.urls.append("http://a/\(index)")
                } catch {
                    done.errors.append(error)
                }
            }
            try writer.append(HAR.Page(startedDateTime: "2026-01-01T00:00:00Z", id: "new", title: "new"))
            done.hasPage = true
            try writer.finish()
        } catch {
            done.errors.append(error)
        }
        return done
    }

    /// Opens an archive, which repairs it, and checks that it contains the old entries and everything acknowledged.
    private static func checkAppended(
        in folder: URL, _ old: [String], _ done: Appended, _ trial: FaultTrials.Trial, isOnDisk: Bool
    ) throws {
        let url = folder.appendingPathComponent("a.har")
        if trial.mustSucceed { #expect(done.errors.isEmpty, "\(trial)") }
        for error in done.errors {
            #expect(error.context.file == url.path || error.context.file != nil, "\(trial): \(error)")
        }
        let isAcknowledged = isOnDisk || trial.end != .powerLoss
        if old.isEmpty, !FileManager.default.fileExists(atPath: url.path) {
            #expect(done.urls.isEmpty || !isAcknowledged, "\(trial)")
            return
        }
        // After a power loss, a new archive that was not flushed can have any content.
        if old.isEmpty, !isAcknowledged { return }
        // Opening the archive repairs it.
        do { try HARWriter(appendingTo: url).finish() } catch { Issue.record("\(trial): \(error)") }
        let archive = try HARArchive(contentsOf: url)
        let urls = (0..<archive.count).map { archive.summary(at: $0).url }
        #expect(Array(urls.prefix(old.count)) == old, "\(trial)")
        let new = Array(urls.dropFirst(old.count))
        let attempted = entries.indices.map { "http://a/\($0)" }
        #expect(new == attempted.filter(new.contains), "\(trial): \(new)")
        for index in 0..<archive.count { #expect(throws: Never.self, "\(trial)") { _ = try archive.entry(at: index) } }
        if isAcknowledged { #expect(done.urls.allSatisfy(new.contains), "\(trial): \(done.urls), \(new)") }
        if !old.isEmpty {
            #expect(archive.log.fields["comment"]?.text == "kept", "\(trial)")
            #expect(archive.log.pages?.first?.id == "p", "\(trial)")
        }
        if isAcknowledged, done.hasPage { #expect(archive.log.pages?.last?.id == "new", "\(trial)") }
    }

    @Test(arguments: [true, false], [[], ["http://old/0", "http://old/1"]])
    func `acknowledged entries are in the archive after a failure`(isOnDisk: Bool, old: [String]) throws {
        let flushing = isOnDisk ? HARWriter.Flushing.eachEntryOnDisk : .eachEntry
        let name =
            "append to \(old.isEmpty ? "a new archive" : "an existing archive"), \(isOnDisk ? "on disk" : "unflushed")"
        let counts = try FaultTrials.run(
            name, prepare: { if !old.isEmpty { try Self.write(Self.archive(old), to: "a.har", in: $0) } },
            run: { Self.append(to: $0, flushing) },
            check: { try Self.checkAppended(in: $0, old, $1, $2, isOnDisk: isOnDisk) })
        #expect(counts.trials > Cases.count(5, orAll: 100))
    }

    /// Checks that an operation that replaces `a.har` leaves either the old file or the new one, despite failures.
    private static func replacing(
        _ name: String, isOld: Bool = true, prepare: (URL) throws -> Void,
        operation: (URL) throws(HARError) -> Void,
        check: (_ folder: URL, _ trial: FaultTrials.Trial) throws -> Void = { _, _ in }
    ) throws {
        let old = isOld ? archive(["http://old/0"]) : nil
        let sample = try TemporaryFolder()
        if let old { try write(old, to: "a.har", in: sample.url) }
        try prepare(sample.url)
        try operation(sample.url)
        let new = try #require(text("a.har", in: sample.url))
        #expect(new != old)
        let counts = try FaultTrials.run(
            name,
            prepare: {
                if let old { try write(old, to: "a.har", in: $0) }
                try prepare($0)
            },
            run: { folder -> HARError? in
                do throws(HARError) {
                    try operation(folder)
                    return nil
                } catch {
                    return error
                }
            },
            check: { folder, error, trial in
                let now = text("a.har", in: folder)
                if trial.mustSucceed { #expect(error == nil, "\(trial): \(String(describing: error))") }
                if error == nil {
                    #expect(now == new, "\(trial)")
                } else {
                    #expect(now == old || now == new, "\(trial)")
                }
                if let error {
                    #expect(error.code == .unwritableFile && error.context.file != nil, "\(trial): \(error)")
                }
                try check(folder, trial)
            })
        #expect(counts.trials > Cases.count(5, orAll: 50))
    }

    @Test func `redacting an archive in place leaves either the old archive or the new one`() throws {
        let redactor = try HARRedactor(HARRedactor.Configuration.randomKey)
        try Self.replacing("redact in place", prepare: { _ in }) { folder throws(HARError) in
            let url = folder.appendingPathComponent("a.har")
            let reader = try HARReader(contentsOf: url)
            let writer = try HARWriter(to: url)
            var findings: [HARRedactor.Finding] = []
            while let event = try reader.nextEvent() { try writer.write(redactor.redacted(event, noting: &findings)) }
            try writer.finish()
        }
    }

    @Test func `merging over an archive leaves either the old archive or the new one`() throws {
        let inputs = ["b.har", "c.har"]
        try Self.replacing(
            "merge over an archive",
            prepare: { folder in
                for name in inputs { try Self.write(Self.archive(["http://\(name)/"]), to: name, in: folder) }
            }
        ) { folder throws(HARError) in
            var merger = HARMerger()
            for name in inputs { merger.add(try HARArchive(contentsOf: folder.appendingPathComponent(name))) }
            let writer = try HARWriter(to: folder.appendingPathComponent("a.har"))
            try merger.write(to: writer)
            try writer.finish()
        } check: { folder, trial in
            for name in inputs { #expect(Self.text(name, in: folder) == Self.archive(["http://\(name)/"]), "\(trial)") }
        }
    }

    @Test func `a new file that is flushed to disk is either complete or missing`() throws {
        try Self.replacing("write a new archive on disk", isOld: false, prepare: { _ in }) { folder throws(HARError) in
            var configuration = HARWriter.Configuration()
            configuration.flushing = .eachEntryOnDisk
            configuration.replacesFile = false
            let writer = try HARWriter(to: folder.appendingPathComponent("a.har"), configuration: configuration)
            try writer.write(HAR.Log(creator: .relay)) { () throws(HARError) in
                for text in Self.entries {
                    try writer.append(HAR.Entry(fields: try JSONValue(parsing: text).object ?? [:]))
                }
            }
            try writer.finish()
        }
    }

    @Test func `repairing a truncated archive keeps its complete entries`() throws {
        let old = ["http://old/0", "http://old/1"]
        let text = Self.archive(old)
        let cut = try #require(text.range(of: "http://old/1")).upperBound
        for text in [String(text[..<cut]), text.replacing(#"]}}],"comment""#, with: "],\"comment\"").description] {
            let counts = try FaultTrials.run(
                "repair a truncated archive", prepare: { try Self.write(text, to: "a.har", in: $0) },
                run: { folder in
                    Result { () throws(HARError) in
                        try HARRepair(of: folder.appendingPathComponent("a.har"), brokenEntries: .dropped)
                    }
                },
                check: { folder, result, trial in
                    let url = folder.appendingPathComponent("a.har")
                    if trial.mustSucceed { #expect(throws: Never.self, "\(trial)") { _ = try result.get() } }
                    let again = try HARRepair(of: url, brokenEntries: .dropped)
                    let archive = try HARArchive(contentsOf: url)
                    #expect(again.entryCount == archive.count && archive.summary(at: 0).url == old[0], "\(trial)")
                })
            #expect(counts.trials > Cases.count(5, orAll: 10))
        }
    }

    @Test func `repairing an archive loses no text of a broken entry`() throws {
        let broken = Self.archive(["http://old/0", "http://old/1"]).replacing(
            "http://old/0\"", with: "http://old/0\" x")
        let counts = try FaultTrials.run(
            "repair, broken entries set aside", prepare: { try Self.write(broken, to: "a.har", in: $0) },
            run: { folder in
                Result { () throws(HARError) in
                    try HARRepair(
                        of: folder.appendingPathComponent("a.har"),
                        brokenEntries: .setAside(folder.appendingPathComponent("aside.txt")))
                }
            },
            check: { folder, result, trial in
                let aside = Self.text("aside.txt", in: folder)
                let now = Self.text("a.har", in: folder)
                if trial.mustSucceed { #expect(throws: Never.self, "\(trial)") { _ = try result.get() } }
                if now != broken {
                    #expect(aside?.contains("http://old/0\" x") == true, "\(trial)")
                    let count = try? HARArchive(contentsOf: folder.appendingPathComponent("a.har")).count
                    #expect(count == 1, "\(trial)")
                }
            })
        #expect(counts.trials > Cases.count(5, orAll: 50))
    }

    @Test func `writing an index does not change the archive, and an incomplete index is not used`() throws {
        let urls = ["http://old/0", "http://old/1"]
        let counts = try FaultTrials.run(
            "write an index",
            prepare: { folder in
                try Self.write(Self.archive(urls), to: "a.har", in: folder)
                let date = Date(timeIntervalSince1970: 1_000_000_000)
                let path = folder.appendingPathComponent("a.har").path
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            },
            run: { folder in
                Result { () throws(HARError) in
                    let archive = try HARArchive(contentsOf: folder.appendingPathComponent("a.har"))
                    _ = try archive.writeIndex(to: .file(folder.appendingPathComponent("index")))
                }
            },
            check: { folder, result, trial in
                if trial.mustSucceed { #expect(throws: Never.self, "\(trial)") { _ = try result.get() } }
                #expect(Self.text("a.har", in: folder) == Self.archive(urls), "\(trial)")
                let archive = try HARArchive(
                    contentsOf: folder.appendingPathComponent("a.har"),
                    index: .use(in: .file(folder.appendingPathComponent("index"))))
                #expect((0..<archive.count).map { archive.summary(at: $0).url } == urls, "\(trial)")
            })
        #expect(counts.trials > Cases.count(5, orAll: 50))
    }
}

extension HARRedactor.Configuration {
    /// A configuration with a key that is not stored.
    fileprivate static var randomKey: Self {
        var configuration = Self()
        configuration.key = .random()
        return configuration
    }
}
