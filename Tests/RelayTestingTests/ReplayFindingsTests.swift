import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayTesting

@Suite(.limited) struct ReplayFindingsTests {
    private static let entries = (0..<25).map { index in
        HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: "GET", url: "http://shop.invalid/items/\(index)"),
            response: HAR.Response(status: 200, statusText: "OK", content: HAR.Content(size: 0, mimeType: "text/plain"))
        )
    }

    /// Returns the findings after requests for the given paths.
    private func findings(misses: Bool, unusedEntries: Bool, asking paths: [String]) async -> ReplayFindings {
        let interceptor = Interceptor(entries: Self.entries, name: "shop.har")
        for path in paths { _ = try? await Shop.text(path, from: interceptor.session()) }
        return ReplayFindings(
            interceptor.report, ReplaySettings(reportsMisses: misses, reportsUnusedEntries: unusedEntries))
    }

    @Test func `ten misses are listed, and the rest are counted`() async {
        let paths = (1...13).flatMap { ["/\($0)", "/1"] }
        let found = await findings(misses: true, unusedEntries: false, asking: paths)
        #expect(found.misses.map(\.count) == [14] + Array(repeating: 1, count: 9))
        #expect(found.misses.first?.remark == "This request was made 14 times.")
        #expect(found.misses.last?.remark == nil)
        #expect(found.remarks == ["3 more requests did not match."])
    }

    @Test func `a miss whose error the test throws is not listed again`() async throws {
        let interceptor = Interceptor(entries: Self.entries, name: "shop.har")
        let outcome = TestOutcome()
        let result = await outcome.observe {
            _ = try? await Shop.text("/plums", from: interceptor.session())
            _ = try await Shop.text("/pears", from: interceptor.session())
        }
        #expect(throws: RelayError.self) { try result.get() }
        let found = ReplayFindings(interceptor.report, ReplaySettings(), after: outcome)
        #expect(found.misses.map { $0.error.message.contains("/plums") } == [true])
        #expect(found.remarks.isEmpty)
    }

    @Test func `a changed body is a warning, or a failure if configured`() async throws {
        var entry = try #require(Self.entries.first)
        entry.request.method = "POST"
        entry.request.postData = HAR.PostData(mimeType: "application/json", text: #"{"count":1}"#)
        let interceptor = Interceptor(entries: [entry], name: "shop.har")
        try await Shop.post(#"{"count":2}"#, to: "/items/0", in: interceptor.session())
        let warned = ReplayFindings(interceptor.report, ReplaySettings())
        #expect(warned.remarks.isEmpty && warned.warnings.count == 1)
        #expect(warned.warnings.first?.contains("    body     - /count: 1\n             + /count: 2") == true)
        let failed = ReplayFindings(interceptor.report, ReplaySettings(reportsChangedBodies: true))
        #expect(failed.remarks == warned.warnings && failed.warnings.isEmpty)
    }

    @Test func `the recordings of an archive are summarized in one line`() throws {
        let notes = RecordingNotes()
        notes.add(RecordingReport(archive: URL(fileURLWithPath: "/a/empty.har")))
        for count in 1...2 {
            var report = RecordingReport(archive: URL(fileURLWithPath: "/a/shop.har"))
            report.recordedCount = count
            report.replacedCount = 1
            report.placeholderCount = 2
            report.discardedCounts = ["a test failed": 1]
            notes.add(report)
        }
        #expect(
            notes.text
                == "Relay: 3 entries recorded (2 replaced, 4 placeholders, 2 discarded: a test failed): /a/shop.har\n")
    }

    @Test func `ten unused entries are listed, and the rest are counted`() async {
        let found = await findings(misses: false, unusedEntries: true, asking: ["/items/1", "/other"])
        #expect(found.misses.isEmpty)
        let lines = found.remarks.flatMap { $0.split(separator: "\n") }
        #expect(lines.count == 12)
        #expect(lines.first == "shop.har: 24 of 25 entries were not used:")
        #expect(lines.dropFirst(2).first == "  entry 2  GET http://shop.invalid/items/2")
        #expect(lines.last == "  … and 14 more")
    }

    @Test func `no findings are reported if none are enabled`() async {
        let found = await findings(misses: false, unusedEntries: false, asking: ["/other"])
        #expect(found.misses.isEmpty && found.remarks.isEmpty)
    }
}
