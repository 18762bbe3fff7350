import Foundation
import HTTPArchive
import Testing

/// Tests of the tool when a standard stream is closed or cannot be written.
@Suite(.limited) struct ClosedStreamTests {
    @Test(arguments: ["2>&-", "2>/dev/full"])
    func `a message that cannot be written does not change the exit status`(redirection: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        for (arguments, status) in [
            ("inspect missing.har", 1), ("nonsense", 2), ("check a.har", 0), ("filter --host none a.har b.har", 0),
            ("search a.har", 2), ("diff missing.har a.har", 2), ("body a.har 99", 1), ("repair a.har c.har", 0),
        ] {
            let run = try await HarRun(shell: "\"$HAR\" \(arguments) \(redirection)", in: folder)
            #expect(run.status == status, "\(arguments) \(redirection): \(run.status)")
        }
    }

    @Test func `messages are not written into a file if standard error is closed`() async throws {
        let folder = try TemporaryFolder()
        let server = try EchoServer()
        let urls = "\(server.url("/one")) \(server.url("/missing"))"
        let run = try await HarRun(shell: "\"$HAR\" record a.har -- \(urls) 2>&- <&-", in: folder)
        #expect(run.status == 0)
        let archive = try HARArchive(contentsOf: folder.url.appendingPathComponent("a.har"))
        #expect(archive.count == 2)
    }

    @Test(arguments: ["--help", "help entries", "entries --help", "--version", "--generate-completion-script bash"])
    func `help that cannot be written is an error`(arguments: String) async throws {
        let folder = try TemporaryFolder()
        for redirection in [">/dev/full", ">&-"] {
            let run = try await HarRun(shell: "\"$HAR\" \(arguments) \(redirection)", in: folder)
            #expect(run.status == 1, "\(redirection)")
            #expect(run.errors.hasPrefix("har: error: standard output: cannot write: "), "\(run.errors)")
        }
    }
}
