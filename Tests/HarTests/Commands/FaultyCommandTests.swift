import ArgumentParser
import FaultyDisk
import Foundation
import HTTPArchive
import TestSupport
import Testing

@testable import HTTPArchive
@testable import har

/// Tests of commands with every kind of fault in every system call that writes.
@Suite(.limited) struct FaultyCommandTests {
    private static let archive = #"""
        {"log":{"version":"1.2","entries":[
        {"request":{"method":"GET","url":"http://a/?token=abcdefghijklmnop1","headers":[]},"response":{"status":200,"content":{"mimeType":"application/json","_file":"body.json"}}},
        {"request":{"method":"POST","url":"http://b/","headers":[]},"response":{"status":200,"content":{"mimeType":"text/plain","text":"b"}}}
        ],"pages":[{"id":"p"}]}}
        """#
    private static let body = #"{"password":"correct horse battery"}"#

    private static func prepare(_ folder: URL) throws {
        try Data(archive.utf8).write(to: folder.appendingPathComponent("a.har"))
        try Data(body.utf8).write(to: folder.appendingPathComponent("body.json"))
        try Data(archive.utf8).write(to: folder.appendingPathComponent("base.har"))
        try Data(archive.replacing("\"b\"", with: "\"c\"").utf8).write(to: folder.appendingPathComponent("b.har"))
    }

    private static func text(_ name: String, in folder: URL) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private static func paths(_ arguments: [String], in folder: URL) -> [String] {
        arguments.map { $0.hasPrefix("./") ? folder.path + $0.dropFirst() : $0 }
    }

    /// Runs a command in this process and returns its error.
    private static func run(_ arguments: [String], in folder: URL) -> (any Error)? {
        do {
            var command = try HARCommand.parseAsRoot(paths(arguments, in: folder))
            try command.run()
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ["filter", "--method", "GET", "./a.har", "./a.har"], ["copy", "--layout", "compact", "./a.har", "./a.har"],
        ["merge", "./a.har", "./merged.har"], ["split", "--by", "host", "./a.har", "./parts-*.har"],
        ["merge", "--driver", "./base.har", "./a.har", "./b.har"],
        ["export", "--to", "ndjson", "./a.har", "./a.ndjson"],
        // The column `file` would differ between folders.
        ["table", "./a.har", "--columns", "method,url,status", "-o", "./a.csv"],
    ])
    func `a disk fault leaves either the input or a complete output`(arguments: [String]) throws {
        let sample = try TemporaryFolder()
        try Self.prepare(sample.url)
        let failure = Self.run(arguments, in: sample.url)
        #expect(failure == nil, "\(String(describing: failure))")
        let new = Self.text("a.har", in: sample.url)
        let outputs = try FileManager.default.contentsOfDirectory(atPath: sample.url.path)
        let counts = try FaultTrials.run(
            "har " + arguments[0], prepare: Self.prepare, run: { Self.run(arguments, in: $0) },
            check: { folder, error, trial in
                if trial.mustSucceed { #expect(error == nil, "\(trial): \(String(describing: error))") }
                let now = Self.text("a.har", in: folder)
                #expect(now == Self.archive || now == new, "\(trial)")
                #expect(Self.text("body.json", in: folder) == Self.body, "\(trial)")
                // Only a power loss can leave a new output file incomplete, because it is not flushed to disk.
                guard trial.end != .powerLoss else { return }
                for name in outputs where name != "a.har" {
                    let text = Self.text(name, in: folder)
                    if error == nil || text != nil {
                        #expect(text == Self.text(name, in: sample.url), "\(trial): \(name)")
                    }
                }
                if trial.end == .failure, let error = error as? HARError {
                    #expect(error.code == .unwritableFile && error.context.file != nil, "\(trial): \(error)")
                }
            })
        #expect(counts.trials > Cases.count(5, orAll: 20))
    }

    @Test func `after a disk fault, a redacted archive refers only to redacted body files`() throws {
        var configuration = HARRedactor.Configuration()
        configuration.key = .random()
        let redactor = try HARRedactor(configuration)
        let counts = try FaultTrials.run(
            "har redact with body files, in place", prepare: Self.prepare,
            run: { folder in
                Result { () throws(HARError) in
                    let url = folder.appendingPathComponent("a.har")
                    let reader = try HARReader(contentsOf: url)
                    let writer = try HARWriter(to: url)
                    let bodies = HAR.BodyFolder(ofArchive: url)
                    var files = RedactedFiles(from: bodies, to: bodies, redactor: redactor)
                    var findings: [HARRedactor.Finding] = []
                    var index = 0
                    while let event = try reader.nextEvent() {
                        var redacted = redactor.redacted(event, noting: &findings)
                        if case .entry(let original) = event, case .entry(let entry) = redacted {
                            redacted = .entry(try files.copy(original, entry, at: index))
                            index += 1
                        }
                        try writer.write(redacted)
                    }
                    try writer.finish()
                }
            },
            check: { folder, result, trial in
                if trial.mustSucceed { #expect(throws: Never.self, "\(trial)") { try result.get() } }
                let url = folder.appendingPathComponent("a.har")
                let entry = try HARArchive(contentsOf: url).entry(at: 0)
                let isRedacted = !entry.request.url.contains("abcdefghijklmnop1")
                let data = try entry.response.bodyData(in: HAR.BodyFolder(ofArchive: url))
                let text = String(decoding: data ?? Data(), as: UTF8.self)
                #expect(text.contains("correct horse") == !isRedacted && text.hasSuffix("}"), "\(trial): \(text)")
                if case .success = result { #expect(isRedacted, "\(trial)") }
            })
        #expect(counts.trials > Cases.count(5, orAll: 50))
    }
}
