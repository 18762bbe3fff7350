import Foundation
import HTTPArchive
import Testing

/// Commands that write more than the limit on the size of files permits (setrlimit(2)).
@Suite(.limited) struct FileSizeLimitTests {
    @Test(arguments: [
        "copy a.har b.har", "copy --layout compact a.har a.har", "merge a.har a.har b.har", "redact a.har a.har",
        "table a.har --bodies -o b.csv", "export --to ndjson a.har b.ndjson", "split --by count=1 a.har parts",
    ])
    func `the input and existing files are unchanged, and the error names the limit`(command: String) async throws {
        let folder = try TemporaryFolder()
        let body = String(repeating: "password=correcthorse42&", count: 10_000)
        let input = try folder.write(.sample(.sample("GET", "https://a.test/", body: body)), to: "a.har")
        let before = try Data(contentsOf: input)
        let run = try await HarRun(shell: "ulimit -f 16; exec \"$HAR\" \(command)", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.contains("Raise the limit on the size of files"), "\(run.errors)")
        #expect(try Data(contentsOf: input) == before)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).subtracting(["caches", "data"]) == ["a.har"])
    }
}
