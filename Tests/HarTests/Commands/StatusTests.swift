import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct StatusTests {
    /// Returns a package with archives.
    ///
    /// The tests in the package name some of these archives.
    private func package() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "Package.swift")
        for name in ["Tests", "Tests/Recordings", "Tests/ShopTests"] { try folder.makeFolder(name) }
        var shop = HAR.Log.shop
        shop.entries[0].startedDateTime = "2025-12-01T12:00:00.000Z"
        shop.entries[0].request.headers = [HAR.Header(name: "Authorization", value: "Bearer 0123456789abcdef")]
        shop.pages?[0].title = "https://shop.test/?api_key=0123456789abcdef"
        try folder.write(shop, to: "Tests/Recordings/shop.har")
        try folder.write(.sample(.sample("GET", "http://a.test/")), to: "Tests/ShopTests/the-shop-has-apples.har")
        try folder.write(.sample(.sample("GET", "http://a.test/")), to: "Tests/Recordings/forgotten.har")
        let source = """
            import RelayTesting

            @Suite(.limited) struct ShopTests {
                @Test(.replay("shop")) func `the shop is open`() {}
                @Test(.replay) func `the shop has apples`() {}
            }
            """
        try folder.write(Data(source.utf8), to: "Tests/ShopTests.swift")
        return folder
    }

    /// Returns the JSON report.
    private func report(_ arguments: String..., in folder: TemporaryFolder) async throws -> JSONValue {
        let line = (["status", "--json"] + arguments).map { "'\($0)'" }.joined(separator: " ")
        let run = try await HarRun(shell: #"unset RELAY_USE_LOG; "$HAR" \#(line)"#, in: folder)
        #expect(run.errors == "")
        #expect(run.status == 0)
        return try JSONValue(parsing: run.data)
    }

    @Test func `har status lists the age, size, entries and mentions of archives`() async throws {
        let folder = try package()
        let run = try await HarRun(shell: #"unset RELAY_USE_LOG; "$HAR" status Tests"#, in: folder)
        #expect(run.status == 0)
        #expect(run.errors == "")
        let output = run.output.replacing(#/ +\d+ d/#, with: "  AGE").replacing(#/\d+\.\d kB/#, with: "SIZE")
            .replacing(#/\d+ bytes/#, with: "SIZE").replacing(folder.url.path, with: "FOLDER").replacing(
                #/  +/#, with: "  ")
        #expect(
            output == """
                archive  entries  size  oldest  newest  secrets  last used  never used  named
                Tests/Recordings/forgotten.har  1  SIZE  AGE  AGE  0  -  -  no
                Tests/Recordings/shop.har  7  SIZE  AGE  AGE  2  -  -  yes
                Tests/ShopTests/the-shop-has-apples.har  1  SIZE  AGE  AGE  0  -  -  yes

                Unused: 1
                  Tests/Recordings/forgotten.har

                Use log: none; run the tests with RELAY_USE_LOG=FILE, and pass that file to --use-log
                Searched: 2 source files in FOLDER

                """)
    }

    @Test func `the size of a symbolic link is the size of the archive`() async throws {
        let folder = try package()
        let link = folder.url.appendingPathComponent("link.har").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "Tests/Recordings/shop.har")
        let archives = try await report("link.har", in: folder)["archives"]
        #expect(try archives?[0]?["bytes"]?.int == folder.read("Tests/Recordings/shop.har").count)
    }

    @Test func `har status --json writes the same values`() async throws {
        let folder = try package()
        let json = try await report("Tests", in: folder)
        let shop = try #require(json["archives"]?[1])
        #expect(
            shop.object?.members.map(\.name.text) == [
                "file", "bytes", "entries", "oldestStart", "newestStart", "secrets", "lastUsed", "neverUsed",
                "neverUsedEntries", "named", "namedBy", "error",
            ])
        #expect(shop["file"] == "Tests/Recordings/shop.har")
        #expect(shop["entries"] == 7)
        #expect(shop["secrets"] == 2)
        #expect(shop["oldestStart"] == "2025-12-01T12:00:00.000Z")
        #expect(shop["newestStart"] == "2026-01-01T12:00:00.000Z")
        #expect(shop["named"] == "yes")
        #expect(shop["namedBy"] == "Tests/ShopTests.swift")
        #expect(shop["neverUsed"] == .null)
        #expect(shop["error"] == .null)
        #expect(json["strayFiles"] == [])
        #expect(json["useLog"] == .null)
        #expect(json["computedNames"] == 0)
    }

    @Test func `har status finds unused entries with the use log`() async throws {
        let folder = try package()
        try folder.makeFolder("other")
        try folder.write(folder.read("Tests/Recordings/forgotten.har"), to: "other/forgotten.har")
        let script = """
            export RELAY_USE_LOG=used
            "$HAR" replay Tests/Recordings/shop.har https://cdn.test/a.png https://shop.test/ >/dev/null
            "$HAR" replay Tests/Recordings/shop.har https://cdn.test/a.png >/dev/null
            "$HAR" replay other/forgotten.har >/dev/null
            "$HAR" replay Tests/ShopTests/the-shop-has-apples.har >/dev/null
            echo nonsense >>used
            """
        #expect(try await HarRun(shell: script, in: folder).errors == "")
        try folder.write(.sample(), to: "Tests/ShopTests/the-shop-has-apples.har")
        let json = try await report("--use-log", "used", "Tests", in: folder)
        #expect(json["useLog"] == "used")
        let archives = try #require(json["archives"])
        #expect(archives[1]?["neverUsed"] == 5)
        #expect(archives[1]?["neverUsedEntries"] == [1, 3, 4, 5, 6])
        let last = try #require(archives[1]?["lastUsed"]?.text.flatMap { HAR.date($0) })
        #expect(abs(last.timeIntervalSinceNow) < 3_600)
        // The same archive in another folder, identified by its name and content.
        #expect(archives[0]?["neverUsed"] == 0)
        // The log mentions another version of this archive, so it is unknown which of these entries were used.
        #expect(archives[2]?["lastUsed"]?.text != nil)
        #expect(archives[2]?["neverUsed"] == .null)
    }

    @Test func `a name in code is a certain mention, and other names are not`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "Package.swift")
        for name in ["Recordings", "Recordings/users"] { try folder.makeFolder(name) }
        let archives = ["code", "documented", "script", "users/anna", "users/bob", "word", "unnamed", "other"]
        for name in archives { try folder.write(.sample(), to: "Recordings/\(name).har") }
        let relay = #"import Relay; play("./Recordings/code"); play("users/anna"); play("other/unnamed")"#
        try folder.write(Data(relay.utf8), to: "a.swift")
        try folder.write(Data(#"import Relay; play("users/\(name)") // "x" unnamed"#.utf8), to: "b.swift")
        try folder.write(Data(#"let text = "word""#.utf8), to: "c.swift")
        try folder.write(Data("See Recordings/documented.har.".utf8), to: "README.md")
        try folder.write(Data("har check Recordings/script.har another.har\0".utf8.dropLast()), to: "check.sh")
        try folder.write(Data("\0 other.har".utf8), to: "binary.bin")
        let json = try await report("Recordings", in: folder)
        let found = try #require(json["archives"]?.array).reduce(into: [:]) { found, archive in
            found[archive["file"]?.text ?? ""] = archive["named"]?.text
        }
        let wanted = [
            "code": "yes", "documented": "perhaps", "script": "yes", "users/anna": "yes", "users/bob": "perhaps",
            "word": "perhaps", "unnamed": "no", "other": "no",
        ]
        for name in archives { #expect(found["Recordings/\(name).har"] == wanted[name], "\(name)") }
    }

    /// Returns the mentions of archives in a Swift file, in the given order, and the number of computed names.
    private func mentions(
        of archives: [String], in code: String, import line: String = "import RelayTesting"
    ) async throws -> (mentions: [String?], computed: JSONValue?) {
        let folder = try TemporaryFolder()
        try folder.write(Data(), to: "Package.swift")
        for archive in archives {
            let path = "Recordings/\(archive).har"
            try folder.makeFolder(String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex)))
            try folder.write(.sample(), to: path)
        }
        try folder.write(Data((line + "\n" + code).utf8), to: "a.swift")
        let json = try await report("Recordings", in: folder)
        let found = try #require(json["archives"]?.array).reduce(into: [:]) { found, archive in
            found[archive["file"]?.text ?? ""] = archive["named"]?.text
        }
        return (archives.map { found["Recordings/\($0).har"] }, json["computedNames"])
    }

    @Test(arguments: [
        #"play("page-\(n)")"#, #"play("page-\(n).har")"#, #"play("page-\(pages["first"]!)")"#,
        #"play("page-\(f(g(h("x"), 2)))")"#, ##"play(#"page-\#(n)"#)"##, #"play("Recordings/page-\(n)")"#,
        #"play("\(folder)/page-\(n)")"#, #"play("\(kind)-1")"#, #"play("page-" + String(n))"#, #"play(kind + "-1")"#,
        #"play("page-" + "1")"#,
    ])
    func `variable text in a name matches any text`(code: String) async throws {
        #expect(try await mentions(of: ["page-1", "shop"], in: code).mentions == ["perhaps", "no"])
    }

    @Test(arguments: [
        ##"play(#"shop"#)"##, ##"play(#"a "quoted" word"#); play("shop")"##, #"play("shop")"#, #"play("./shop.har")"#,
        #"let text = "\(n)"; play("shop")"#, #"let regex = /"/"# + "\n" + #"play("shop")"#,
        #"play(""" "# + "\n    shop\n    " + #"""")"#, #"/// A `"""` literal."# + "\n" + #"@Test(.replay("shop"))"#,
    ])
    func `a string literal can name an archive`(code: String) async throws {
        #expect(try await mentions(of: ["shop", "page-1"], in: code).mentions == ["yes", "no"])
    }

    @Test(arguments: [
        (#"// play("shop")"#, "yes"), (#"    /// Plays "shop"."#, "yes"), (#"play("\(shop)")"#, "no"),
        (#"play(shop)"#, "no"), (#"play("other/shop")"#, "no"), (#"play("shop-\(n)")"#, "no"),
    ])
    func `comments count as code, and variables are not names`(code: String, mention: String) async throws {
        #expect(try await mentions(of: ["shop"], in: code).mentions == [mention])
    }

    @Test(arguments: [
        ("@Test(.replay(name))", 1), ("@Test(.replay(\"a\", name))", 1), ("Interceptor(replaying: url)", 1),
        ("try Interceptor(archive: folder.appendingPathComponent(name), mode: .ask)", 1),
        ("try Interceptor.replaying(\n    name)", 1), (#"@Test(.replay("\(name)"))"#, 1),
        ("replay(a); replay(b, mode: .replay)", 2), ("@Test(.replay)", 0), ("@Test(.replay(mode: mode))", 0),
        (#"@Test(.replay("a, b: c", mode: mode))"#, 0), (#"@Test(.replay("page-\(n)"))"#, 0),
        (#"@Test(.replay("page-" + n))"#, 0), (".replay(.host(host))", 0), ("func replay(_ name: String) {}", 0),
        ("init(archive: URL)", 0), (#"Interceptor(archive: URL(fileURLWithPath: "a.har"))"#, 0),
    ])
    func `computed names are counted`(code: String, count: Int) async throws {
        #expect(try await mentions(of: ["shop"], in: code).computed == .number(JSONNumber(count)))
        #expect(try await mentions(of: ["shop"], in: code, import: "").computed == 0)
    }

    /// The work would otherwise grow exponentially or with the square of the size, and take hours.
    @Test(arguments: [
        "\"" + #"\(a)"#, "\"\\(a ", "#", "#\"", "\"\"\"", #"\"#, "replay(", "archive: (", ".har", "a.har",
    ])
    func `the work for odd sources is proportional to their size`(text: String) async throws {
        let code = "\"" + String(repeating: text.replacing("\"", with: ""), count: 20_000) + "\n\"shop\"\n"
        #expect(try await mentions(of: ["shop"], in: code).mentions.count == 1)
        let repeated = String(repeating: text, count: 20_000) + "\n\"shop\"\n"
        #expect(try await mentions(of: ["shop"], in: repeated).mentions.count == 1)
    }

    @Test func `no archive is listed as unused if a name is computed`() async throws {
        let folder = try package()
        try folder.write(Data("import Relay; let x = try Interceptor(archive: url)".utf8), to: "Tests/Computed.swift")
        let run = try await HarRun(shell: #"unset RELAY_USE_LOG; "$HAR" status Tests"#, in: folder)
        #expect(!run.output.contains("Unused"))
        #expect(
            run.output.contains(
                "\nNot named in the sources (1 name is computed): 1\n  Tests/Recordings/forgotten.har\n"))
    }

    @Test func `har status lists the error of an unreadable archive`() async throws {
        let folder = try package()
        try folder.write(folder.read("Tests/Recordings/shop.har").dropLast(400), to: "Tests/Recordings/cut.har")
        try folder.write(Data("<html>".utf8), to: "Tests/Recordings/page.har")
        let run = try await HarRun("status", "Tests", in: folder)
        #expect(run.status == 1)
        #expect(run.output.contains("\nUnreadable or truncated: 2\n"))
        #expect(run.output.contains("\n  Tests/Recordings/cut.har:"))
        #expect(run.output.contains(#/\nTests/Recordings/page.har +- /#))
        #expect(run.output.contains(#/\nTests/Recordings/shop.har +7 /#))
    }

    @Test func `the number of secrets in an unreadable archive is unknown`() async throws {
        let folder = try TemporaryFolder()
        try folder.write(Data("<html>".utf8), to: "a.har")
        let run = try await HarRun("status", "a.har", in: folder)
        #expect(run.output.contains(#/\na.har +- +\d+ bytes +- +- +- +- +- /#), "\(run.output)")
        let json = try JSONValue(parsing: await HarRun("status", "--json", "a.har", in: folder).data)
        #expect(json["archives"]?[0]?["secrets"] == .null)
    }

    @Test func `a missing source folder is an error`() async throws {
        let folder = try package()
        let run = try await HarRun("status", "--sources", "missing", "Tests", in: folder)
        #expect((run.status, run.output) == (1, ""))
        #expect(run.errors == "har: error: missing: no such folder; check --sources [unreadableFile]\n")
    }

    @Test func `standard input is a usage error`() async throws {
        let run = try await HarRun("status", "-", in: try TemporaryFolder())
        #expect(run.status == 2)
        #expect(run.errors.hasPrefix("har: error: expected a folder or an archive, found standard input, "))
    }

    @Test func `har status lists body files that no archive refers to`() async throws {
        let folder = try TemporaryFolder()
        let named = String(repeating: "a1", count: 20) + ".txt"
        let sent = String(repeating: "b1", count: 20) + ".bin"
        let stray = String(repeating: "c1", count: 20) + ".txt"
        for name in [named, sent, stray, "other.txt"] { try folder.write(Data("x".utf8), to: name) }
        var entry = HAR.Entry.sample("POST", "http://a.test/", body: nil)
        entry.response.content["_file"] = .string(JSONString(named))
        entry.request.postData = HAR.PostData(mimeType: "text/plain")
        entry.request.postData?["_file"] = .string(JSONString(sent))
        try folder.write(.sample(entry), to: "a.har")
        try folder.write(Data("Authorization: Bearer ghp_abcdefghijklmnopqrstuvwxyz0123456789".utf8), to: named)
        let json = try await report(".", in: folder)
        #expect(json["strayFiles"] == [.string(JSONString(stray))])
        #expect(json["archives"]?[0]?["secrets"] != 0)
    }

    @Test func `har status accepts archives and reports a missing folder`() async throws {
        let folder = try package()
        let json = try await report("Tests/Recordings/shop.har", in: folder)
        #expect(json["archives"]?.array?.count == 1)
        let run = try await HarRun("status", "missing", in: folder)
        #expect(run.status == 1)
        #expect(
            run.errors == "har: error: missing: no such file or folder; check the path [unreadableFile]\n")
    }
}

extension TemporaryFolder {
    fileprivate func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent(name), withIntermediateDirectories: true)
    }
}
