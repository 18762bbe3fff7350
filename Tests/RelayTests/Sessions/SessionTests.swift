import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct SessionTests {
    @Test func `an awaited call returns the status, the headers and the body`() async throws {
        let interceptor = Interceptor.responding {
            $0.reply("{}", status: 404, headers: ["content-type": "application/json"])
        }
        let (data, response) = try await interceptor.session().data(from: URL("https://example.com/a?b=c"))
        let http = try #require(response as? HTTPURLResponse)
        #expect(data == Data("{}".utf8))
        #expect(http.statusCode == 404)
        #expect(http.value(forHTTPHeaderField: "Content-Type") == "application/json")
        #expect(http.mimeType == "application/json")
        #expect(http.url == URL("https://example.com/a?b=c"))
    }

    @Test func `a completion handler receives the body and the response`() async throws {
        let session = Interceptor.saying("hello").session()
        let result: (Data?, Int?, Bool) = await withCheckedContinuation { continuation in
            session.dataTask(with: URL("https://example.com/")) { data, response, error in
                continuation.resume(returning: (data, (response as? HTTPURLResponse)?.statusCode, error == nil))
            }.resume()
        }
        #expect(result == (Data("hello".utf8), 200, true))
    }

    @Test func `a delegate receives the response, the body and the completion`() async {
        let delegate = RecordingDelegate()
        let session = Interceptor.saying("hello").session(delegate: delegate)
        let error = await delegate.run(session.dataTask(with: URL("https://example.com/")))
        #expect(error == nil)
        #expect(delegate.log.events == ["response 200", "data hello", "end"])
    }

    @Test func `an interceptor receives the method, the URL, and the headers of request and configuration`()
        async throws
    {
        let seen = Log<InterceptedRequest>()
        let interceptor = Interceptor.responding { request in
            seen.append(request)
            return request.reply()
        }
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpAdditionalHeaders = ["X-Both": "configuration", "X-Configured": "yes"]
        let request = URLRequest(
            "https://example.com/%C3%A4?q=1#f", method: "DELETE", headers: ["x-both": "request", "X-Own": "1"])
        _ = try await interceptor.session(configuration: configuration).data(for: request)
        let fields = [("x-both", "request"), ("X-Configured", "yes"), ("X-Own", "1")]
        let expected = InterceptedRequest(
            method: "DELETE", url: "https://example.com/%C3%A4?q=1#f", headers: fields.map(HeaderField.init))
        #expect(seen.events == [expected])
    }

    @Test func `a session has no cache unless its configuration has one`() {
        let interceptor = Interceptor.saying("")
        let configuration = URLSessionConfiguration.ephemeral
        #expect(interceptor.session().configuration.urlCache == nil)
        #expect(interceptor.session(configuration: configuration).configuration.urlCache === configuration.urlCache)
        #expect(configuration.urlCache != nil)
    }

    @Test func `a session retains its interceptor`() async throws {
        let session = Interceptor.saying("kept").session()
        #expect(try await session.text("https://example.com/") == "kept")
    }

    @Test func `sessions use the interceptor that is installed in their configuration`() async throws {
        let interceptor = Interceptor.saying("installed")
        let configuration = URLSessionConfiguration.default
        interceptor.install(in: configuration)
        #expect(try await URLSession(configuration: configuration).text("http://example.com/") == "installed")
        withExtendedLifetime(interceptor) {}
    }

    @Test func `the last interceptor added to a configuration handles all requests`() async throws {
        let first = Interceptor.saying("first")
        let configuration = URLSessionConfiguration.ephemeral
        first.install(in: configuration)
        #expect(try await Interceptor.saying("last").session(configuration: configuration).text("http://a/") == "last")
        #expect(try await URLSession(configuration: configuration).text("http://a/") == "first")
    }

    @Test func `requests fail after their interceptor is deallocated`() async {
        let configuration = URLSessionConfiguration.ephemeral
        Interceptor.saying("gone").install(in: configuration)
        let others = (0..<10).map { Interceptor.saying("\($0)") }
        let error = await #expect(throws: RelayError.self) {
            try await URLSession(configuration: configuration).text("https://example.com/")
        }
        #expect(error?.code == .interceptorGone)
        withExtendedLifetime(others) {}
    }

    @Test(arguments: ["foo://example.com/", "ftp://example.com/", "file:///etc/hostname"])
    func `an interceptor's own session rejects other schemes`(url: String) async {
        let error = await #expect(throws: URLError.self) { try await Interceptor.saying("").session().text(url) }
        #expect(error?.code == .unsupportedURL)
    }

    @Test func `a request without a URL fails`() async {
        var request = URLRequest("https://example.com/")
        request.url = nil
        let error = await #expect(throws: URLError.self) { try await Interceptor.saying("").session().text(request) }
        #expect(error?.code == .badURL)
    }
}
