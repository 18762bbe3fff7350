import FaultyDisk
import Foundation
import TestSupport
import Testing

@testable import HTTPArchive
@testable import RelayCore

/// Recordings in which every system call fails once in each possible way.
@Suite(.limited) struct FaultyRecordingTests {
    /// The results reported by a recording.
    private struct Recorded {
        /// The response bodies of the entries in the draft.
        var drafted: [String] = []

        /// The name of the body file that an entry refers to.
        var bodyFile: String?

        /// Whether the entries were moved into the archive.
        var isDone = false

        var errors: [HARError] = []
    }

    private static let body = Data(repeating: 7, count: 3000)
    private static let page = HAR.Page(startedDateTime: "2026-01-01T00:00:00.000Z", id: "A/a", title: "A/a")

    private static func archive(_ folder: URL) -> URL { folder.appendingPathComponent("shop.har") }

    private static func record(_ replacement: Replacement, in folder: URL) -> Recorded {
        var done = Recorded()
        let draft = RecordingDraft(of: archive(folder), from: RecordingPlan())
        do throws(HARError) {
            try draft.begin()
            for (number, text) in ["new 0", "new 1"].enumerated() {
                var entry = HAR.Entry.entry("GET", "http://a/\(number)", text: text)
                if number == 1 {
                    let file = try BodyFiles(folder: folder).keep(SpooledBody(body), type: "image/png")
                    entry.response.content["_file"] = .string(JSONString(file))
                    done.bodyFile = file
                }
                try draft.append(entry, number: number, replacing: replacement)
                done.drafted.append(text)
            }
            _ = try draft.takePlace(page: page)
            done.isDone = true
        } catch {
            done.errors.append(draft.leave(after: error))
        }
        return done
    }

    private static func texts(of url: URL) throws -> [String] {
        try HAR.Log(contentsOf: url).entries.map { $0.response.content.text ?? "" }
    }

    private static func check(
        in folder: URL, _ done: Recorded, _ old: [String], _ new: [String], _ trial: FaultTrials.Trial
    ) throws {
        let url = archive(folder)
        if trial.mustSucceed { #expect(done.isDone, "\(trial): \(done.errors)") }
        for error in done.errors { #expect(error.context.file != nil, "\(trial): \(error)") }
        var found: [String]?
        if FileManager.default.fileExists(atPath: url.path) {
            // The next recording repairs the archive.
            do { try HARWriter(appendingTo: url).finish() } catch { Issue.record("\(trial): \(error)") }
            found = try texts(of: url)
        }
        if !old.isEmpty { #expect(found != nil, "\(trial)") }
        if done.isDone {
            #expect(found == new, "\(trial)")
        } else if let found {
            // The archive may already contain some of the appended entries, in order.
            let isPart = (old.count...max(old.count, new.count)).contains { found == Array(new.prefix($0)) }
            #expect(found == old || found == new || isPart, "\(trial): \(found)")
        }
        if trial.end != .powerLoss, !done.isDone {
            let drafts = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                .filter { $0.hasSuffix(".recording") }
            let kept = try drafts.flatMap { name in
                let draft = folder.appendingPathComponent(name)
                try HARWriter(appendingTo: draft).finish()
                return try texts(of: draft)
            }
            #expect(
                done.drafted.allSatisfy { ((found ?? []) + kept).contains($0) }, "\(trial): \(kept), \(found ?? [])")
            if trial.end == .failure, !done.drafted.isEmpty, let error = done.errors.first, let draft = drafts.first {
                #expect(error.message.contains(draft), "\(trial): \(error)")
            }
        }
        if let file = done.bodyFile, found?.contains("new 1") == true {
            #expect(try Data(contentsOf: folder.appendingPathComponent(file)) == body, "\(trial)")
        }
    }

    @Test(
        arguments: [
            ("record a new archive", [], false), ("record into an archive", ["old"], false),
            ("replace an archive", ["old"], true),
        ] as [(String, [String], Bool)])
    func `recorded entries stay in the draft until they are in the archive`(
        name: String, old: [String], replaces: Bool
    ) throws {
        let new = replaces ? ["new 0", "new 1"] : old + ["new 0", "new 1"]
        let counts = try FaultTrials.run(
            name,
            prepare: { folder in
                guard !old.isEmpty else { return }
                try HAR.Log(creator: .relay, entries: old.map { .entry("GET", "http://a/0", text: $0) }).write(
                    to: Self.archive(folder))
            },
            run: { Self.record(replaces ? .everything : .nothing, in: $0) },
            check: { try Self.check(in: $0, $1, old, new, $2) })
        #expect(counts.trials > Cases.count(5, orAll: 100))
    }
}
