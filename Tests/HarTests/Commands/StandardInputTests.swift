import Foundation
import HTTPArchive
import Testing

/// Archives from standard input and from named pipes.
@Suite(.limited) struct StandardInputTests {
    /// A zip file with an archive of one entry, and the body of the entry, which is `text`.
    private static let zip = Data(
        base64Encoded: """
            UEsDBBQAAAAIAAAAIVyEC5G4KAEAABgCAAAHAAAAaGFyLmhhcp2RMU/DMBCF/8vNaeJEFUNmEAwMiBoGUIVMcrQWqR3sa6FU+e88
            uxWCgQXJQ+78/O67lwMNfkXtgXYcovWOWqrLhgrqAhvxIV05s2H0Bd0fKpoKYifBcqT28UBRTBDuz42wtvlBo5qzmapxdN20SuGU
            SqkH+EhW1AUFfttylDRmw7L2Pd5dXmhItmHA91pkjG1VmVIgq9BPnftvjCutb6q6rBOx969HmCVUbHqIjgVGhP0CqG7163ZhP0Ex
            A8az7/fHSk0JKo7eRU5UWEu28GmUKk6F5g8A0/9YOu8EsWXrPHBe0AZp6P2YQ4Z3NQ7GOrg8vdghNRNdKRia2XobuJO72+sTw9+7
            zKHvTLdOi0w5dCQQ82h2SBobvRsrpx/Rsd3lAKblNH0BUEsDBBQAAAAIAAAAIVzHp4s7BgAAAAQAAAAIAAAAYm9keS50eHQrSa0o
            AQBQSwECFAMUAAAACAAAACFchAuRuCgBAAAYAgAABwAAAAAAAAAAAAAApAEAAAAAaGFyLmhhclBLAQIUAxQAAAAIAAAAIVzHp4s7
            BgAAAAQAAAAIAAAAAAAAAAAAAACkAU0BAABib2R5LnR4dFBLBQYAAAAAAgACAGsAAAB5AQAAAAA=
            """, options: .ignoreUnknownCharacters)

    @Test(arguments: [
        "cat a.har | \"$HAR\" replay -", "\"$HAR\" replay - < a.har", "cat a.har | \"$HAR\" replay /dev/stdin",
    ])
    func `an archive in a pipe is replayed`(script: String) async throws {
        let folder = try TemporaryFolder()
        var log = HAR.Log.sample(.sample("GET", "https://a.test/"), .sample("GET", "https://b.test/"))
        log.entries[0].response.content.text = nil
        log.entries[0].response.content["_file"] = "body.txt"
        try folder.write(log, to: "a.har")
        try Data("from a file".utf8).write(to: folder.url.appendingPathComponent("body.txt"))
        let run = try await HarRun(shell: script, in: folder)
        // The folder of /dev/stdin is /dev.
        let hasFolder = !script.contains("/dev/stdin")
        #expect(run.output.hasPrefix(hasFolder ? "2 requests: 2 answered" : "2 requests: 1 answered"), "\(run)")
    }

    @Test(arguments: ["replay -", "diff - a.har", "split --by host - out"], ["< .", "<&-"])
    func `an error in reading standard input is not blamed on the temporary folder`(
        command: String, redirection: String
    ) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let run = try await HarRun(shell: "\"$HAR\" \(command) \(redirection)", in: folder)
        #expect(run.status == (command.hasPrefix("diff") ? 2 : 1))
        #expect(run.errors.hasPrefix("har: error: standard input: cannot read: "), "\(run.errors)")
    }

    @Test func `a truncated archive in a pipe is an error with the position`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "a.har")
        let run = try await HarRun(shell: "head -c 2000 a.har | \"$HAR\" replay -", in: folder)
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("har: error: standard input:"), "\(run.errors)")
    }

    @Test(arguments: [
        "show - 0", "body - 0", "search - text", "replay -", "copy - -", "redact - -", "filter --status 200 - -",
        "export --to markdown -", "table --bodies - -o -",
    ])
    func `bodies in a zip file from standard input are read`(command: String) async throws {
        let folder = try TemporaryFolder()
        try #require(Self.zip).write(to: folder.url.appendingPathComponent("a.zip"))
        for script in ["cat a.zip | \"$HAR\" \(command)", "\"$HAR\" \(command) < a.zip"] {
            let run = try await HarRun(shell: script, in: folder)
            #expect(run.status == 0, "\(run.errors)")
            let expected = command == "replay -" ? "1 request: 1 answered" : "text"
            #expect(run.output.contains(expected), "\(run.output)")
        }
    }
}
