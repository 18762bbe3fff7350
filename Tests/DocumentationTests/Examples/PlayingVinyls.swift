import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The example in Docs/Migration/Vinyl.md, run unchanged.
@Suite struct PlayingVinyls {
    @Test func `debug mode explains why tracks match`() throws {
        let request = URLRequest(url: try #require(URL(string: "http://api.test.com")))
        var configuration = TurntableConfiguration()
        configuration.debugOutput = { print($0) }
        let turntable = Turntable(vinylName: "vinyl_single", turntableConfiguration: configuration)
        print(turntable.explain(request))
        #expect(turntable.explain(request).contains("matches, and answers"))
    }
}
