import ErrorCatalog
import Foundation
import HTTPArchive
import Relay
import Testing

@testable import RelayCore
@testable import RelayTesting

/// The issues that traits record after a test, and the errors that they throw before it.
@Suite(.limited) struct ErrorCatalogTests {
    private static func entry(_ path: String, body: String? = nil) -> HAR.Entry {
        var request = HAR.Request(method: body == nil ? "GET" : "POST", url: "http://shop.invalid/\(path)")
        request.postData = body.map { HAR.PostData(mimeType: "application/json", text: $0) }
        return HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00.000Z", request: request,
            response: HAR.Response(status: 200, statusText: "OK", content: HAR.Content(size: 0, mimeType: "text/plain"))
        )
    }

    @Test func `the messages of all issues are listed in the catalog`() async throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
        var catalog = ErrorCatalog(replacing: [folder: "FOLDER"])
        let settings = ReplaySettings(reportsUnusedEntries: true, reportsUnusedRules: true)
        let entries = (0..<13).map { Self.entry("items/\($0)") }
        let interceptor = Interceptor(entries: entries, name: "shop.har")
        for path in (1...12).map({ "/\($0)" }) + ["/1"] { _ = try? await Shop.text(path, from: interceptor.session()) }
        let rules = ["GET shop.invalid/prices", "any"]
        let found = ReplayFindings(interceptor.report, settings, unusedRules: rules)
        let miss = try #require(found.misses.first)
        catalog.add(code: "issue", "a miss", "\(miss.error.description)\n\(miss.remark ?? "")")
        for (title, remark) in zip(["further misses", "unused rules", "unused entries"], found.remarks) {
            catalog.add(code: "issue", title, remark)
        }
        let posting = Interceptor(entries: [Self.entry("orders", body: #"{"count":1}"#)], name: "shop.har")
        try await Shop.post(#"{"count":2}"#, to: "/orders", in: posting.session())
        for warning in ReplayFindings(posting.report, settings).warnings {
            catalog.add(code: "warning", "a changed body", warning)
        }
        let damaged = try Interceptor(archive: URL(fileURLWithPath: "\(folder)/Recordings/damaged.har"))
        _ = try? await Shop.text("/items", from: damaged.session())
        for warning in ReplayFindings(damaged.report, settings).warnings {
            catalog.add(code: "warning", "a truncated archive", warning)
        }
        await catalog.add("a missing archive", awaiting: { try await withReplay("there-is-none") {} })
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}
