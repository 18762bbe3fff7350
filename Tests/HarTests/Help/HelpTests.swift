import ErrorCatalog
import Foundation
import Testing

/// Tests of the help of all commands.
@Suite(.limited) struct HelpTests {
    @Test func `the listing contains the help of all commands`() async throws {
        let folder = try TemporaryFolder()
        var catalog = ErrorCatalog()
        let overview = try await HarRun("help", in: folder)
        catalog.add("har", overview.output)
        let list = overview.output.split(separator: "SUBCOMMANDS:\n").last ?? ""
        // The help of har serve and har proxy is printed by a program that is built only with a trait.
        let commands = list.matches(of: #/(?m)^  (\w+) {2,}/#).map { String($0.1) }
            .filter { !["serve", "proxy", "view"].contains($0) }
        #expect(commands.count == 24)
        for command in commands {
            let run = try await HarRun("help", command, in: folder)
            #expect(run.status == 0)
            catalog.add(command, run.output)
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("help.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}
