import Foundation
import Testing
import Vinyl

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct DebugModeTests {
    @Test func `debug output explains why each track does or does not match a request`() async {
        let log = Log<String>()
        var configuration = TurntableConfiguration()
        configuration.debugOutput = { log.append($0) }
        let turntable = Turntable(vinylName: "vinyl_simple", bundle: .module, turntableConfiguration: configuration)
        _ = await turntable.play("http://api.test.com/text")
        #expect(log.events.count == 1)
        #expect(log.events.first?.contains("GET http://api.test.com/text\n    matches, and answers") == true)
        #expect(log.events.first?.contains("method   - POST\n             + GET") == true)
        turntable.errorHandler = NotingErrorHandler()
        _ = try? await turntable.data(from: .of("http://api.test.com/text"))
        #expect(
            log.events.last?.contains("GET http://api.test.com/text\n    matches, but was already replayed") == true)
    }

    @Test func `explaining a request does not play a track`() async {
        let turntable = Turntable(vinylName: "vinyl_single", bundle: .module)
        for _ in 1...2 {
            let text = turntable.explain(.to("http://api.test.com", headers: ["Authorization": "Bearer secret"]))
            #expect(text.contains("matches, and answers") && !text.contains("secret"))
        }
        #expect(turntable.explain(.to("http://api.test.com/", method: "PUT")).contains("+ PUT"))
        #expect(await turntable.play("http://api.test.com").text == "hello")
    }
}
