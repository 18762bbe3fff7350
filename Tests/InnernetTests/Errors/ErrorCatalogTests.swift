import ErrorCatalog
import Foundation
import Innernet
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ProcessWideTests {
    /// The error messages of this module.
    ///
    /// Each example triggers the actual error.
    @Suite(.limited) struct ErrorCatalogTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        @Test func `the messages of all errors are listed in the catalog`() async throws {
            var catalog = ErrorCatalog()
            catalog.add("a request without an intercept", error: await session.error("https://apple.com/none"))
            Innernet.timeoutThreshold = 0.05
            Innernet.intercept(.get, matching: "apple.com/late") { _, _ in }
            catalog.add("an intercept that does not respond", error: await session.error("https://apple.com/late"))
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
            if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
        }
    }
}
