import HTTPArchive
import Relay
import Testing

@testable import RelayTesting

@Suite struct ReplayFindingsTests {
    private static let entries = (0..<25).map { index in
        HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z",
            request: HAR.Request(method: "GET", url: "http://shop.invalid/items/\(index)"),
            response: HAR.Response(status: 200, statusText: "OK", content: HAR.Content(size: 0, mimeType: "text/plain"))
        )
    }

    /// The findings after requests for some paths.
    private func findings(misses: Bool, unusedEntries: Bool, asking paths: [String]) async -> ReplayFindings {
        let interceptor = Interceptor(entries: Self.entries, name: "shop.har")
        for path in paths { _ = try? await Shop.text(path, from: interceptor.session()) }
        return ReplayFindings(
            interceptor.report, ReplayFindings.Kinds(misses: misses, unusedEntries: unusedEntries))
    }

    @Test func `ten misses are listed, and the rest is counted`() async {
        let paths = (1...13).flatMap { ["/\($0)", "/1"] }
        let found = await findings(misses: true, unusedEntries: false, asking: paths)
        #expect(found.misses.map(\.count) == [14] + Array(repeating: 1, count: 9))
        #expect(found.misses.first?.remark == "This request was made 14 times.")
        #expect(found.misses.last?.remark == nil)
        #expect(found.remarks == ["3 more requests missed."])
    }

    @Test func `ten unused entries are listed, and the rest is counted`() async {
        let found = await findings(misses: false, unusedEntries: true, asking: ["/items/1", "/other"])
        #expect(found.misses.isEmpty)
        let lines = found.remarks.flatMap { $0.split(separator: "\n") }
        #expect(lines.count == 12)
        #expect(lines.first == "shop.har: 24 of 25 entries were not used:")
        #expect(lines.dropFirst(2).first == "  entry 2  GET http://shop.invalid/items/2")
        #expect(lines.last == "  … and 14 more")
    }

    @Test func `nothing is found if nothing is enabled`() async {
        let found = await findings(misses: false, unusedEntries: false, asking: ["/other"])
        #expect(found.misses.isEmpty && found.remarks.isEmpty)
    }
}
