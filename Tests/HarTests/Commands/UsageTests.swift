import Foundation
import TestSupport
import Testing

@Suite(.limited) struct UsageTests {
    private static let commands = [
        "inspect", "entries", "show", "search", "stats", "waterfall", "diff", "body", "check", "redact", "copy",
        "filter", "split", "merge", "replay", "record", "serve",
        "import", "export", "table",
        "status", "repair",
        "index",
    ]

    @Test func `har --help lists the commands`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("--help", in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        for command in Self.commands { #expect(run.output.contains("\n  \(command) ")) }
    }

    @Test(arguments: Cases.some(6, of: commands))
    func `the help of a command has an example`(command: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("help", command, in: folder)
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("OVERVIEW: "))
        #expect(run.output.contains("\nExample: har \(command) "))
        #expect(run.output.contains("\nUSAGE: har \(command) "))
    }

    @Test func `har --version prints the version`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("--version", in: folder)
        #expect(run.status == 0)
        #expect(run.output.wholeMatch(of: /\d+\.\d+\.\d+\n/) != nil)
    }

    @Test func `har --version --verbose prints the availability of private platform APIs`() async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("--version", "--verbose", in: folder)
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n")
        #expect(lines.first?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
        #expect(lines.dropFirst().first?.hasPrefix("built with Swift 6.") == true)
        #expect(lines.count > 10)
        #expect(lines.dropFirst(2).allSatisfy { $0.wholeMatch(of: /\w+ +available/) != nil }, "\(run.output)")
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `har prints completion scripts`(shell: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun("--generate-completion-script", shell, in: folder)
        #expect(run.status == 0)
        for command in Self.commands { #expect(run.output.contains(command)) }
    }

    @Test(arguments: [
        (["insepct", "a.har"], "har: error: unknown command 'insepct'; did you mean 'inspect'?"),
        (["help", "recrod"], "har: error: unknown command 'recrod'; did you mean 'record'?"),
        (["a.har"], "har: error: unknown command 'a.har'; to summarize a file, use har inspect FILE"),
        (["nonsense"], "har: error: unknown command 'nonsense'; to list the commands, use har --help"),
        (["entries", "--jsno", "a.har"], "har: error: Unknown option '--jsno'. Did you mean '--json'?"),
    ])
    func `an unknown command or option gets a suggestion`(arguments: [String], message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(.sample(), to: "a.har")
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: "\"$HAR\" \(words)", in: folder)
        #expect(run.status == 2)
        #expect(run.errors.split(separator: "\n").first.map(String.init) == message)
    }

    @Test(
        arguments: Cases.some(
            4,
            of: [
                ("export --to", "markdown"), ("filter --method", "DELETE"), ("record --bodies", "attach"),
                ("import --from", "vinyl"), ("filter --status", "5xx"), ("entries --sort", "time"),
                ("entries --columns", "wait"), ("record -X", "PATCH"), ("record --request", "PATCH"),
                ("search --in", "messages"), ("stats --by", "party"), ("stats --sort", "p95"),
                ("table --format", "ndjson"),
            ]))
    func `completion offers the values of options`(line: String, value: String) async throws {
        let folder = try TemporaryFolder()
        let script = """
            source <("$HAR" --generate-completion-script bash)
            COMP_WORDS=(har \(line) ""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            COMP_LINE="har \(line) "; COMP_POINT=${#COMP_LINE}
            _har har "" "${COMP_WORDS[COMP_CWORD - 1]}"; printf '%s\\n' "${COMPREPLY[@]}"
            """
        try folder.write(Data(script.utf8), to: "complete")
        let run = try await HarRun(shell: "bash complete", in: folder)
        #expect(run.output.split(separator: "\n").contains(Substring(value)), "\(run.output) \(run.errors)")
    }

    @Test(
        arguments: Cases.some(
            10,
            of: [
                ["nonsense"], ["inspect"], ["inspect", "a", "b"], ["inspect", "--nonsense", "a"],
                ["body", "a.har", "x"],
                ["body", "a.har", "-1"], ["copy", "--layout", "nonsense", "a", "b"], ["copy", "a"], ["check"],
                ["entries", "--json", "--ndjson", "a"], ["diff", "a"], ["diff", "-", "-"],
                ["replay", "a", "--json", "--verbose"], ["replay", "a", "file:///etc/passwd"],
                ["table"], ["index"], ["index", "-"], ["status"],
                ["record"], ["record", "a.har"], ["record", "-", "http://a/"], ["record", "a.har", "ftp://a/"],
                ["record", "a.har", "--json", "x", "-d", "y", "http://a/"],
                ["record", "a.har", "-u", "me", "http://a/"],
                ["import"], ["import", "a.json"], ["import", "--from", "x", "a", "b"], ["import", "-", "-", "b"],
                ["import", "--base-url", "x", "a", "b"], ["export", "a.har"], ["export", "--to", "x", "a.har"],
                ["record", "a.har", "-I", "-d", "x", "http://a/"], ["record", "a.har", "-H", "x", "http://a/"],
            ]))
    func `a usage error prints the usage and causes exit status 2`(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        let line = arguments.map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: #""$HAR" \#(line)"#, in: folder)
        #expect(run.status == 2)
        #expect(run.output == "")
        #expect(run.errors.hasPrefix("har: error: "))
        #expect(run.errors.contains("\nUsage: har "))
    }

    @Test(
        arguments: [
            ("search a.har --sold", "--sold"), ("entries --limit -1 a.har", "-1"), ("show a.har -1", "-1"),
            ("search a.har x -c -2", "-2"), ("search a.har -x=1", "-x=1"), ("show a.har --raw", nil), ("show", nil),
            ("search a.har -c2", nil), ("search a.har -- ", nil),
        ] as [(String, String?)])
    func `a missing value is explained by an argument that begins with a hyphen`(
        command: String, argument: String?
    ) async throws {
        let run = try await HarRun(shell: #""$HAR" \#(command)"#, in: TemporaryFolder())
        #expect(run.status == 2)
        let hint = argument.map { "\nHint:  '\($0)' is not an option. Put -- before" } ?? "\nHint:"
        #expect(run.errors.contains(hint) == (argument != nil), "\(run.errors)")
    }

    @Test(arguments: ["entries -host a a.har", "filter -hostx a a.har b.har", "entries -x.har", "body -short a.har 0"])
    func `a word that contains the letter of the help option does not print the help`(command: String) async throws {
        let run = try await HarRun(shell: #""$HAR" \#(command)"#, in: TemporaryFolder())
        #expect(run.status == 2 && run.output == "")
        #expect(run.errors.hasPrefix("har: error: Unknown option '-"), "\(run.errors)")
    }

    @Test func `names that are not UTF-8 are errors`() async throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("folder"), withIntermediateDirectories: false)
        try folder.write(.shop, to: "folder/a.har")
        let name = #"$(printf 'x\377.har')"#
        let copy = try await HarRun(shell: #""$HAR" copy folder/a.har "\#(name)""#, in: folder)
        #expect(copy.status == 2 && copy.errors.hasPrefix("har: error: the argument 'x\u{FFFD}.har' is not UTF-8; "))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["folder"])
        let table = try await HarRun(shell: #"cp folder/a.har folder/"\#(name)"; "$HAR" table folder"#, in: folder)
        #expect(table.status == 1 && table.output.contains("\nfolder/a.har,"), "\(table.output)")
        #expect(table.errors.contains("because its name is not UTF-8; rename it"), "\(table.errors)")
    }

    @Test(arguments: ["inspect", "entries", "check", "replay", "index"])
    func `a missing file causes exit status 1`(command: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await HarRun(command, "missing.har", in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors
                == "har: error: missing.har: The file cannot be read: No such file or directory. Check the path. [unreadableFile]\n"
        )
    }

    @Test func `a command fails if its output cannot be written`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(.shop, to: "shop.har")
        let run = try await HarRun(shell: #""$HAR" entries shop.har >&-"#, in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors.hasPrefix("har: error: standard output: cannot write: Bad file descriptor [unwritableFile]\n"))
    }
}
