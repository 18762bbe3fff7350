#if Server
    import Foundation
    import HTTPArchive
    import RelayCore
    import RelayServer
    import Testing

    @Suite(.limited) struct ReportTests {
        @Test func `each exchange of an interceptor is sent to a page`() async throws {
            let (entries, continuation) = AsyncStream.makeStream(of: JSONValue.self)
            let page = Interceptor(playing: [])
            page.add(
                .stub(.post("**")) { request in
                    #expect(request.url.hasSuffix("/token/api/1/exchanges"))
                    continuation.yield(try JSONValue(parsing: request.body ?? Data()))
                    return .status(200)
                })
            let interceptor = Interceptor(playing: [])
            interceptor.add(.stub("shop.example/items", .status(201)))
            try await page.serve { pageServer in
                let report = interceptor.report(to: pageServer.url.appending(path: "token/"))
                defer { report.cancel() }
                try await interceptor.serve { server in
                    for number in 1...2 {
                        _ = try await Curl("-d", "n=\(number)", "-H", "Host: shop.example", "\(server.url)/items")
                            .output
                    }
                }
                var received = entries.makeAsyncIterator()
                for number in 1...2 {
                    let entry = try HAR.Entry(fields: #require(await received.next()?.object))
                    #expect(entry.request.url == "http://shop.example/items")
                    #expect(entry.request.postData?.text == "n=\(number)")
                    #expect(entry.response.status == 201)
                }
            }
        }

        @Test func `exchanges do not wait for a page that is gone`() async throws {
            let interceptor = Interceptor(playing: [])
            interceptor.add(.stub("x/", .status(201)))
            let gone = try #require(URL(string: "http://127.0.0.1:1/token/"))
            let report = interceptor.report(to: gone)
            defer { report.cancel() }
            try await interceptor.serve { server in
                let curl = try await Curl("-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: x", "\(server.url)/")
                #expect(curl.output == "201")
            }
        }
    }
#endif
