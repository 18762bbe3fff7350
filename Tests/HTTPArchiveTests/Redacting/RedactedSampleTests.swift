import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

/// Captures from real tools: the package's samples and the files in the folder set by `RELAY_HAR_CORPUS`.
@Suite(.limited) struct RedactedSampleTests {
    static var files: [URL] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let samples =
            (try? FileManager.default.contentsOfDirectory(
                at: root.appendingPathComponent("HARSamples"), includingPropertiesForKeys: nil)) ?? []
        return samples.filter { $0.pathExtension == "har" }.sorted { $0.path < $1.path } + Corpus.files
    }

    @Test(arguments: files)
    func `redacted captures have no new findings, the same entries, and no secrets`(file: URL) throws {
        let redactor = try HARRedactor.test()
        guard let log = try? HAR.Log(contentsOf: file) else { return }
        var before = HARChecker()
        var after = HARChecker()
        for (index, entry) in log.entries.enumerated() {
            let redacted = redactor.redacted(entry)
            #expect(redactor.redacted(redacted).text == redacted.text, "entry \(index)")
            #expect(redactor.secrets(in: redacted) == [], "entry \(index)")
            let old = before.check(.entry(entry)).map(\.rule.description)
            let new = after.check(.entry(redacted)).map(\.rule.description)
            #expect(new == old, "entry \(index)")
            #expect(redacted.response.status == entry.response.status)
            #expect(redacted.request.headers.map(\.name) == entry.request.headers.map(\.name))
            if redactor.secrets(in: entry).isEmpty { #expect(redacted.text == entry.text) }
        }
    }
}
