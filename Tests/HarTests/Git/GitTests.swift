import Foundation
import HTTPArchive
import Testing

/// Tests `har` as a program that Git calls, with real repositories.
@Suite(.limited) struct GitTests {
    private static let settings = """
        export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME=$PWD GIT_PAGER=cat
        export GIT_AUTHOR_NAME=A GIT_AUTHOR_EMAIL=a@a.test GIT_COMMITTER_NAME=A GIT_COMMITTER_EMAIL=a@a.test
        git init -q -b main . && printf '*.har diff=har merge=har\\n' > .gitattributes && printf '/caches\\n' > .gitignore
        git config merge.har.driver "'$HAR' merge --driver %O %A %B %L %P"
        git config diff.har.textconv "'$HAR' show --textconv"
        git config diff.har.xfuncname '^Entry .*'
        commit() { git add -A && git commit -q -m "$1"; }

        """

    /// Returns an entry that started a number of seconds after noon.
    private static func entry(_ path: String, at second: Int, body: String = "") -> HAR.Entry {
        var entry = HAR.Entry.sample("GET", "https://shop.test\(path)", body: body)
        entry.startedDateTime = "2026-01-01T12:00:\(second < 10 ? "0" : "")\(second).000Z"
        return entry
    }

    private static func log(_ entries: HAR.Entry...) -> HAR.Log {
        HAR.Log(creator: HAR.Creator(name: "Tests", version: "1.0"), entries: entries)
    }

    /// Runs a script in a repository whose versions of `shop.har` are in the files `base`, `ours` and `theirs`.
    ///
    /// The branch `main` has our version, and the branch `theirs` has their version.
    private static func run(
        base: HAR.Log?, ours: HAR.Log?, theirs: HAR.Log?, _ script: String
    ) async throws -> (run: HarRun, folder: TemporaryFolder) {
        let folder = try TemporaryFolder()
        let versions = try TemporaryFolder()
        func change(to log: HAR.Log?, _ name: String) throws -> String {
            guard let log else { return "rm -f shop.har" }
            return "cp '\(try versions.write(log, to: name).path)' shop.har"
        }
        let setup = """
            set -e
            \(settings)\(try change(to: base, "base")); commit base; git branch theirs
            \(try change(to: ours, "ours")); commit ours
            git checkout -q theirs; \(try change(to: theirs, "theirs")); commit theirs; git checkout -q main
            set +e

            """
        return (try await HarRun(shell: setup + script, in: folder), folder)
    }

    private static func urls(_ folder: TemporaryFolder) throws -> [String] {
        try HAR.Log(data: folder.read("shop.har")).entries.map {
            String($0.request.url.dropFirst("https://shop.test".count))
        }
    }

    @Test(arguments: ["merge -q --no-edit theirs", "rebase -q theirs", "cherry-pick theirs"])
    func `branches that recorded different entries are merged`(command: String) async throws {
        let base = Self.log(Self.entry("/", at: 1))
        let (run, folder) = try await Self.run(
            base: base, ours: Self.log(base.entries[0], Self.entry("/b", at: 3), Self.entry("/d", at: 5)),
            theirs: Self.log(base.entries[0], Self.entry("/a", at: 2), Self.entry("/c", at: 4)),
            "git \(command) && git diff --stat HEAD && git status --porcelain")
        #expect(run.status == 0 && !run.output.contains("UU"), "\(run.output)\(run.errors)")
        #expect(try Self.urls(folder) == ["/", "/a", "/b", "/c", "/d"])
    }

    @Test func `both directions of a merge have the same result`() async throws {
        let base = Self.log(Self.entry("/", at: 1))
        let (run, folder) = try await Self.run(
            base: base, ours: Self.log(base.entries[0], Self.entry("/b", at: 3)),
            theirs: Self.log(base.entries[0], Self.entry("/a", at: 2), Self.entry("/c", at: 4)),
            """
            git branch ours && git merge -q --no-edit theirs && cp shop.har first.har
            git checkout -q theirs && git merge -q --no-edit ours && cmp shop.har first.har
            """)
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try Self.urls(folder) == ["/", "/a", "/b", "/c"])
    }

    @Test func `an entry that both branches changed is a visible conflict, and the rest is merged`() async throws {
        let (run, folder) = try await Self.run(
            base: Self.log(Self.entry("/", at: 1, body: "old"), Self.entry("/gone", at: 2), Self.entry("/last", at: 9)),
            ours: Self.log(Self.entry("/", at: 1, body: "ours"), Self.entry("/last", at: 9)),
            theirs: Self.log(
                Self.entry("/", at: 1, body: "theirs"), Self.entry("/gone", at: 2), Self.entry("/new", at: 3),
                Self.entry("/last", at: 9)),
            "git merge --no-edit theirs; echo status $?; git diff --check; git diff --name-only --diff-filter=U")
        #expect(run.output.contains("CONFLICT (content): Merge conflict in shop.har"), "\(run.output)")
        #expect(run.output.contains("status 1\n") && run.output.hasSuffix("shop.har\n"))
        #expect(run.output.contains("leftover conflict marker"))
        #expect(run.errors == "har: warning: shop.har: both sides changed GET https://shop.test/\n")
        let text = String(decoding: try folder.read("shop.har"), as: UTF8.self)
        #expect(text.contains("/new") && !text.contains("/gone"))
        for side in ["ours", "theirs"] {
            let chosen = Self.resolved(text, choosing: side)
            let log = try HAR.Log(data: Data(chosen.utf8))
            #expect(log.entries.map(\.request.url.last) == ["/", "w", "t"])
            #expect(log.entries[0].response.content.text == side)
        }
    }

    /// Returns merged text with one version of each conflict, without the lines of the markers.
    static func resolved(_ text: String, choosing side: String) -> String {
        var current: String?
        return text.split(separator: "\n", omittingEmptySubsequences: false).filter { line in
            if line.hasPrefix("<<<<<<< ") {
                current = "ours"
            } else if line.hasPrefix("=======") {
                current = "theirs"
            } else if line.hasPrefix(">>>>>>> ") {
                current = nil
            } else {
                return current == nil || current == side
            }
            return false
        }.joined(separator: "\n")
    }

    @Test func `an archive that both branches added is merged without an ancestor`() async throws {
        let shared = Self.entry("/", at: 1)
        let (run, folder) = try await Self.run(
            base: nil, ours: Self.log(shared, Self.entry("/b", at: 3)),
            theirs: Self.log(shared, Self.entry("/a", at: 2)),
            "git merge -q --no-edit theirs")
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        #expect(try Self.urls(folder) == ["/", "/a", "/b"])
    }

    @Test func `a damaged archive is a conflict, and our version is unchanged`() async throws {
        let base = Self.log(Self.entry("/", at: 1))
        let (run, folder) = try await Self.run(
            base: base, ours: Self.log(base.entries[0], Self.entry("/b", at: 3)),
            theirs: Self.log(base.entries[0], Self.entry("/a", at: 2)),
            """
            git checkout -q theirs && printf '{"log":{"entries":[{' > shop.har && commit damaged && git checkout -q main
            git merge --no-edit theirs; echo status $?
            """)
        #expect(run.output.contains("CONFLICT") && run.output.hasSuffix("status 1\n"), "\(run.output)\(run.errors)")
        #expect(run.errors.contains("har: error: shop.har (their version):1:21: "), "\(run.errors)")
        #expect(try Self.urls(folder) == ["/", "/b"])
    }

    @Test func `git diff shows changed, added, renamed and deleted archives`() async throws {
        let base = Self.log(Self.entry("/", at: 1, body: "old"), Self.entry("/b", at: 2))
        let (run, _) = try await Self.run(
            base: base, ours: Self.log(Self.entry("/", at: 1, body: "new"), Self.entry("/b", at: 2)), theirs: nil,
            """
            export GIT_EXTERNAL_DIFF="'$HAR' diff"
            git diff HEAD^; git diff HEAD theirs -- shop.har; git diff theirs HEAD -- shop.har
            git mv shop.har new.har; git diff -M --cached; echo "{" > new.har; git diff; echo status $?
            """)
        #expect(run.errors == "")
        #expect(
            run.output == """
                diff --har a/shop.har b/shop.har
                ~ 0 → 0 GET https://shop.test/
                    body line 1: old → new
                0 added, 0 removed, 1 changed, 1 equal
                diff --har a/shop.har b/shop.har
                deleted file mode 100644
                - 0 GET https://shop.test/ 200
                - 1 GET https://shop.test/b 200
                0 added, 2 removed, 0 changed, 0 equal
                diff --har a/shop.har b/shop.har
                new file mode 100644
                + 0 GET https://shop.test/ 200
                + 1 GET https://shop.test/b 200
                2 added, 0 removed, 0 changed, 0 equal
                diff --har a/shop.har b/new.har
                similarity index 100%
                rename from shop.har
                rename to new.har
                0 added, 0 removed, 0 changed, 2 equal
                diff --har a/new.har b/new.har
                new.har cannot be compared: new.har:2:1 (byte 2): The JSON is invalid: expected a name in double quotation \
                marks or '}', found the end of the input. [malformedJSON]; to compare its lines, use: git diff \
                --no-ext-diff -- 'new.har'
                status 0

                """, "\(run.output)")
    }

    @Test func `git log, git show and git diff compare readable text`() async throws {
        let base = Self.log(Self.entry("/", at: 1, body: "{\"a\": 1}"))
        let (run, _) = try await Self.run(
            base: base, ours: Self.log(Self.entry("/", at: 7, body: "{\"a\": 2}"), Self.entry("/new", at: 8)),
            theirs: nil,
            """
            git log -p -1 --format=%s; git show --format= HEAD > show; git diff HEAD^ > diff
            git log -p -1 --format= > log; cmp show diff && cmp show log && echo equal
            git log -p --format= theirs -- shop.har | grep -c '^[-+]Entry '
            """)
        #expect(run.errors == "")
        #expect(run.output.contains("-    \"a\": 1\n+    \"a\": 2\n"), "\(run.output)")
        #expect(run.output.contains("+Entry GET https://shop.test/new\n"))
        #expect(!run.output.contains("2026-01-01") && !run.output.contains("Timings"))
        #expect(run.output.hasSuffix("equal\n2\n"), "\(run.output)")
    }

    @Test func `git diff shows a file with conflicts`() async throws {
        let base = Self.log(Self.entry("/", at: 1, body: "old"))
        let (run, _) = try await Self.run(
            base: base, ours: Self.log(Self.entry("/", at: 1, body: "a")),
            theirs: Self.log(Self.entry("/", at: 1, body: "b")),
            """
            git merge -q theirs; git diff; export GIT_EXTERNAL_DIFF="'$HAR' diff"; git diff --cached; git diff HEAD; echo $?
            """)
        #expect(run.output.contains("\n++<<<<<<< ours\n") && run.output.contains("\n++=======\n"), "\(run.output)")
        #expect(run.output.contains("\n* Unmerged path shop.har\n"), "\(run.output)")
        #expect(run.output.hasSuffix("0\n"), "\(run.output)")
    }
}
