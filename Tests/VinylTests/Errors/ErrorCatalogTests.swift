import ErrorCatalog
import Foundation
import HTTPArchive
import Relay
import Testing
import Vinyl

/// The error messages of this module.
///
/// Each example triggers the actual error, which fails a test.
@Suite(.limited) struct ErrorCatalogTests {
    @Test func `the messages of all errors are listed in the catalog`() async throws {
        let fixtures = Bundle.module.resourceURL?.path ?? ""
        var catalog = ErrorCatalog(replacing: [fixtures: "BUNDLE"])
        let none = TurntableConfiguration(recordingMode: .none)
        let strategy = MatchingStrategy.requestAttributes(types: [.url], playTracksUniquely: false)
        let examples: [(String, () async -> Void)] = [
            ("a missing vinyl", { _ = Turntable(vinylName: "none", bundle: .module, turntableConfiguration: none) }),
            ("a broken vinyl", { _ = Turntable(vinylName: "broken", bundle: .module, turntableConfiguration: none) }),
            (
                "a missing track",
                {
                    let turntable = Turntable(vinylName: "vinyl_single", bundle: .module)
                    _ = await turntable.play("http://api.test.com/missing")
                }
            ),
            (
                "a turntable without a vinyl",
                {
                    let configuration = TurntableConfiguration(matchingStrategy: strategy)
                    _ = await Turntable(turntableConfiguration: configuration).play("http://api.test.com/")
                }
            ),
            ("plastic with an invalid track", { _ = Vinyl(plastic: [["response": ["url": 1]]]) }),
            ("plastic that is not JSON", { _ = Vinyl(plastic: [["response": Date()]]) }),
            (
                "a missing track, reported by the default handler",
                { DefaultErrorHandler().handleTrackNotFound(.to("http://a/?token=secret"), playTracksUniquely: false) }
            ),
            (
                "a used track, reported by the default handler",
                { DefaultErrorHandler().handleTrackNotFound(.to("http://a/?token=secret"), playTracksUniquely: true) }
            ),
            ("another error, reported by the default handler", { DefaultErrorHandler().handleUnknownError() }),
        ]
        for (title, body) in examples {
            let log = Log<(any Error)?>()
            await withKnownIssue(isIntermittent: true) {
                await body()
            } matching: { issue in
                log.append(issue.error)
                return true
            }
            catalog.add(title, error: log.events.first ?? nil)
        }
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}
