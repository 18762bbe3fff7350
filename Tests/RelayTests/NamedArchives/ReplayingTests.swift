import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct ReplayingTests {
    private let archives: TemporaryArchives

    init() throws { archives = try TemporaryArchives() }

    @Test func `an interceptor is created from the archives next to a file`() async throws {
        try archives.write("Recordings/shop.har", saying: "apples")
        let interceptor = try Interceptor.replaying("shop", mode: .replay, filePath: archives.sourceFile)
        let text = try await interceptor.interceptEverySession { try await URLSession.shared.text("http://a/") }
        #expect(text == "apples")
    }

    @Test func `creating an interceptor without its archive fails`() {
        #expect(throws: RelayError.self) { try Interceptor.replaying("there-is-none", mode: .replay) }
    }

    @Test func `the interceptor of an operation is also current in its child tasks`() async throws {
        let (outer, inner) = (Interceptor.saying("outer"), Interceptor.saying("inner"))
        try await outer.interceptEverySession {
            #expect(Interceptor.current === outer)
            async let child = Interceptor.current
            #expect(await child === outer)
            try inner.interceptEverySession { #expect(Interceptor.current === inner) }
            let interception = try inner.beginInterceptingEverySession()
            #expect(Interceptor.current === outer)
            interception.end()
        }
    }

    @Test func `an interceptor replays archives that are already open`() throws {
        let urls = [try archives.write("a.har", saying: "a"), try archives.write("b.har", saying: "b")]
        let interceptor = Interceptor(playing: try urls.map { try HARArchive(contentsOf: $0) })
        #expect(interceptor.name == "a.har, b.har")
        #expect(interceptor.report.archives.map(\.entryCount) == [1, 1])
    }

    #if canImport(FoundationNetworking)
        @Test func `starting a replay for the process ends the previous one`() async {
            await #expect(processExitsWith: .success) {
                let archives = try TemporaryArchives()
                for text in ["first", "second"] {
                    try archives.write("shop.har", saying: text)
                    try Interceptor.beginReplaying("shop", mode: .replay, filePath: archives.sourceFile)
                    let task = Task.detached { try await URLSession(configuration: .default).text("http://a/") }
                    #expect(try await task.value == text)
                    #expect(Interceptor.current?.name == "shop")
                }
                let last = try Interceptor.beginReplaying("shop", mode: .replay, filePath: archives.sourceFile)
                last.end()
                #expect(Interceptor.current == nil)
            }
        }
    #endif
}
