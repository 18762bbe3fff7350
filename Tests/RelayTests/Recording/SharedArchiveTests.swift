import Foundation
import HTTPArchive
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

import Relay
@testable import RelayCore
@testable import RelayURLSession

/// Recording in mode `all` to an archive that several tests share, when only some of them run.
@Suite(.limited) struct SharedArchiveTests {
    private let server: LoopbackServer
    private let archives: TemporaryArchives

    init() throws {
        archives = try TemporaryArchives()
        server = try LoopbackServer { request in
            LoopbackServer.ok("new \(request.target)", headers: "Content-Type: text/plain\r\n")
        }
    }

    private var shop: URL { archives.folder.appendingPathComponent("Recordings/shop.har") }

    /// Writes an archive, as if by an earlier process, with entries specified as `page path`.
    ///
    /// All pages except `page_1` belong to tests.
    private func writeOld(_ lines: String..., posting bodies: [String] = []) throws {
        var log = HAR.Log(creator: HAR.Creator(name: "Tests", version: "1"))
        var pages: [HAR.Page] = []
        for line in lines {
            let parts = line.split(separator: " ").map(String.init)
            var entry = HAR.Entry.entry("GET", server.url(parts[1]), text: "old \(parts[1])")
            if parts[0] != "-" {
                entry.pageref = parts[0]
                let title = parts[0] == "page_1" ? "http://shop.test/" : parts[0]
                if !pages.contains(where: { $0.id == parts[0] }) {
                    pages.append(HAR.Page(startedDateTime: entry.startedDateTime, id: parts[0], title: title))
                }
            }
            log.entries.append(entry)
        }
        log.entries += bodies.map { .entry("POST", server.url("/graphql"), text: "old \($0)").requested($0) }
        log.pages = pages
        try FileManager.default.createDirectory(
            at: shop.deletingLastPathComponent(), withIntermediateDirectories: true)
        try log.write(to: shop)
    }

    private func interceptor(
        _ page: String?, mode: ReplayMode, sharesPage: Bool = false, rules: [Rule] = []
    ) throws -> Interceptor {
        let plan = ReplayPlan(
            names: ["shop"], search: ArchiveSearch(beside: archives.sourceFile), matching: nil, rules: rules,
            configuration: .patient, mode: mode)
        return try plan.makeInterceptor(page: page, sharesPage: sharesPage)
    }

    /// Simulates a test that makes requests, and returns the response bodies.
    @discardableResult
    private func run(
        _ page: String?, _ paths: String..., mode: ReplayMode = .all, sharesPage: Bool = false, rules: [Rule] = [],
        succeeds: Bool = true
    ) async throws -> [String] {
        let interceptor = try interceptor(page, mode: mode, sharesPage: sharesPage, rules: rules)
        let session = interceptor.session()
        var answers: [String] = []
        for path in paths { answers.append(try await session.text(server.url(path))) }
        let report = await interceptor.finishRecording(keeping: succeeds)
        #expect(report?.failures.isEmpty == true)
        return answers
    }

    /// Returns the page and the response body of each entry in the archive.
    private func recorded() throws -> [String] {
        let log = try HAR.Log(contentsOf: shop)
        let pages = log.pages?.map(\.id) ?? []
        #expect(Set(pages).isSuperset(of: log.entries.compactMap(\.pageref)) && Set(pages).count == pages.count)
        return log.entries.map { "\($0.pageref ?? "-") \($0.response.content.text ?? "none")" }
    }

    @Test func `a test replaces its own entries and keeps the entries of tests that do not run`() async throws {
        try writeOld("A/a /a", "B/b /b", "B/b /gone", "C/c /c")
        try await run("B/b", "/b", "/b2")
        #expect(try recorded() == ["A/a old /a", "C/c old /c", "B/b new /b", "B/b new /b2"])
    }

    @Test func `tests in one run can replace their entries one after the other`() async throws {
        try writeOld("A/a /a", "B/b /b", "C/c /c")
        try await run("B/b", "/b")
        try await run("A/a", "/a")
        #expect(try recorded() == ["C/c old /c", "B/b new /b", "A/a new /a"])
    }

    @Test func `tests in one run can replace their entries concurrently`() async throws {
        try writeOld("old/test /kept", "test/0 /0", "test/3 /3", "test/5 /5")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<8 { group.addTask { _ = try? await run("test/\(number)", "/\(number)") } }
        }
        let new = (0..<8).map { "test/\($0) new /\($0)" }
        #expect(try recorded().sorted() == (["old/test old /kept"] + new).sorted())
    }

    @Test func `entries recorded by another process are kept`() async throws {
        try writeOld("A/a /a", "B/b /b")
        try await run("A/a", "/a")
        // This process stores its state by archive path, so it has no state for the copy.
        let other = try TemporaryArchives()
        let copy = other.folder.appendingPathComponent("Recordings/shop.har")
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: shop, to: copy)
        let plan = ReplayPlan(
            names: ["shop"], search: ArchiveSearch(beside: other.sourceFile), matching: nil, rules: [],
            configuration: .patient, mode: .all)
        let interceptor = try plan.makeInterceptor(page: "B/b")
        _ = try await interceptor.session().text(server.url("/b"))
        await interceptor.finishRecording()
        #expect(try HAR.Log(contentsOf: copy).entries.map(\.response.content.text) == ["new /a", "new /b"])
    }

    @Test func `a test prefers its own entries over entries of other tests`() async throws {
        try writeOld("A/a /items", "B/b /items", "old/name /login")
        try await run("B/b", "/items")
        try await run("new/name", "/login")
        #expect(
            try recorded() == ["A/a old /items", "old/name old /login", "B/b new /items", "new/name new /login"])
        #expect(try await run("A/a", "/items", "/items", mode: .replay) == ["old /items", "old /items"])
        #expect(try await run("B/b", "/items", mode: .replay) == ["new /items"])
        #expect(try await run("new/name", "/login", mode: .replay) == ["new /login"])
        // A test without its own entries uses the entries of other tests, in order.
        #expect(try await run("C/c", "/items", "/items", mode: .replay) == ["old /items", "new /items"])
    }

    @Test func `entries that belong to no test are replaced if they are recorded again`() async throws {
        try writeOld("- /a", "page_1 /a", "page_1 /b", "- /c", "A/a /a")
        try await run("B/b", "/a")
        #expect(try recorded() == ["page_1 old /b", "- old /c", "A/a old /a", "B/b new /a"])
    }

    @Test func `re-recorded entries are identified by all parts of the request`() async throws {
        try writeOld(posting: ["one", "two"])
        let interceptor = try interceptor("A/a", mode: .all)
        let session = interceptor.session()
        _ = try await session.text(URLRequest(server.url("/graphql"), method: "POST", body: "two"))
        await interceptor.finishRecording()
        #expect(try recorded() == ["- old one", "A/a new /graphql"])
    }

    @Test func `an unredacted entry is replaced by the redacted one`() async throws {
        try writeOld("- /a?access_token=hunter2hunter2", "- /b?access_token=hunter2hunter2")
        try await run("A/a", "/a?access_token=hunter2hunter2")
        let urls = try HAR.Log(contentsOf: shop).entries.map(\.request.url)
        #expect(urls.count == 2 && urls[0].contains("/b?access_token=hunter2") && urls[1].contains("REDACTED"))
    }

    @Test func `a case of a parameterized test keeps the entries of other cases`() async throws {
        try writeOld("A/cases /1", "A/cases /2", "A/cases /3")
        try await run("A/cases", "/2", sharesPage: true)
        try await run("A/cases", "/1", sharesPage: true, succeeds: false)
        try await run("A/cases", "/3", sharesPage: true)
        #expect(try recorded() == ["A/cases old /1", "A/cases new /2", "A/cases new /3"])
    }

    @Test func `an outdated entry is replaced, but not another test's entry for the same request`() async throws {
        try writeOld("B/b /items", "A/a /items")
        try await run("A/a", "/items", mode: .refresh(olderThan: .seconds(1)))
        #expect(try recorded() == ["B/b old /items", "A/a new /items"])
    }

    @Test func `a failed test does not change its entries`() async throws {
        try writeOld("A/a /a", "B/b /b")
        let old = try Data(contentsOf: shop)
        try await run("A/a", "/a", succeeds: false)
        #expect(try Data(contentsOf: shop) == old)
    }

    @Test func `a rule with mode 'all' does not replace entries of other tests`() async throws {
        try writeOld("A/a /x/1", "B/b /x/1", "A/a /y", "- /x/1", "- /x/2")
        let rules: [Rule] = [.record(.url("127.0.0.1:\(server.port)/x/*"), .all)]
        try await run("A/a", "/x/1", "/y", mode: .replay, rules: rules)
        #expect(try recorded() == ["B/b old /x/1", "A/a old /y", "- old /x/2", "A/a new /x/1"])
    }

    @Test func `outside a test, all entries are replaced except entries of tests that are not recorded again`()
        async throws
    {
        try writeOld("- /a", "page_1 /b", "A/a /a", "A/a /c")
        try await run(nil, "/a")
        #expect(try recorded() == ["A/a old /c", "- new /a"])
    }

    @Test func `in recorded order, all entries that belong to no test are replaced`() async throws {
        try writeOld("- /a", "- /b", "B/b /c")
        let plan = ReplayPlan(
            names: ["shop"], search: ArchiveSearch(beside: archives.sourceFile), matching: .recordedOrder, rules: [],
            configuration: .patient, mode: .all)
        let interceptor = try plan.makeInterceptor(page: "A/a")
        _ = try await interceptor.session().text(server.url("/x"))
        await interceptor.finishRecording()
        #expect(try recorded() == ["B/b old /c", "A/a new /x"])
    }
}
