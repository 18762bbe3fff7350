import Foundation
import Innernet
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct OwnError: Error {}

extension ProcessWideTests {
    @Suite(.limited) struct InterceptTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        /// Answers requests that match a pattern with plain text.
        private func intercept(_ pattern: String, _ text: String = "mine", method: Innernet.HTTPMethod = .get) {
            Innernet.intercept(method, matching: pattern) { _, completion in
                completion(.mock(status: 200, data: Data(text.utf8), headers: nil))
            }
        }

        @Test(arguments: [
            ("apple.com/foo", "https://apple.com/foo", true), ("http://apple.com/foo", "https://apple.com/foo", true),
            ("apple.com/foo", "https://apple.com/foo/bar", false), ("apple.com/foo", "https://apple.com", false),
            ("apple.com/foo/*/baz", "https://apple.com/foo/1337/baz", true),
            ("apple.com/foo/*", "apple.com/foo/1337", true),
            ("apple.com/foo/*", "https://apple.com/foo/1337/baz", false),
            ("apple.com/foo/*", "https://apple.com/foo", false),
            ("apple.com/foo/*id", "https://apple.com/foo/1337", true),
            ("apple.com/**id", "https://apple.com/1/2", false),
            ("apple.com/foo/**", "https://apple.com/foo/1337/baz", true), ("apple.com/**", "https://apple.com", false),
            ("apple.com/foo/**/blah", "https://apple.com/foo/1337/baz", true),
            ("apple.com/foo/**/blah", "https://apple.com/foo/1337", false),
            ("apple.com/foo/**/blah", "https://apple.com/foo/1/2/3/4", true),
            ("apple.com/**/a/b?c=d", "https://apple.com/1/2/3/4", false),
            ("apple.com/**/a/b?c=d", "https://apple.com/1/2/3?x=y", true),
            ("apple.com/**/**", "https://apple.com/1", false), ("**/a", "https://apple.com/1", true),
            ("**/a", "https://apple.com", false),
            ("apple.com/:name", "https://apple.com/me", false), ("apple.com/:name", "https://apple.com/:name", true),
            ("apple.com/a?b=*", "https://apple.com/a?b=c", true),
            ("apple.com/a?c=d&b=e", "https://apple.com/a?b=e&c=d", false),
            ("apple.com/a?b?c=*", "https://apple.com/a?b?c=d", false),
            ("apple.com/a?b?c", "https://apple.com/a?b?c", true),
            ("apple.com:81/a", "https://apple.com:81/a", true), ("apple.com/a", "https://apple.com:81/a", false),
            ("apple.com/a/b", "https://apple.com/a%2Fb", true), ("apple.com/a b", "https://apple.com/a%20b", true),
        ])
        func `a pattern matches URLs component by component`(pattern: String, url: String, isTaken: Bool) async {
            intercept(pattern)
            let error = await session.error(url)
            #expect((error == nil) == isTaken, "\(String(describing: error))")
        }

        @Test(arguments: [
            (Innernet.HTTPMethod.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.delete, "DELETE"),
            (.connect, "CONNECT"), (.options, "OPTIONS"), (.trace, "TRACE"), (.patch, "PATCH"),
            (.custom("PURGE"), "PURGE"),
        ])
        func `an intercept applies to one method`(method: Innernet.HTTPMethod, name: String) async throws {
            Innernet.intercept(method, matching: "apple.com/foo") { _, completion in
                completion(.mock(status: 203, data: nil, headers: nil, httpVersion: nil))
            }
            #expect(try await session.answer(request("https://apple.com/foo", method: name)).head.statusCode == 203)
            let other = request("https://apple.com/foo", method: name == "PUT" ? "POST" : "PUT")
            await #expect(throws: InnernetsError.self) { try await session.answer(other) }
        }

        @Test(arguments: [-1, 0, 42, 99, 100, 101, 199, 204, 304, 600, 999, 1000])
        func `a mock can have any status, and keeps its data`(status: Int) async throws {
            Innernet.intercept(.get, matching: "apple.com/mock") { _, completion in
                completion(.mock(status: status, data: Data("data".utf8), headers: ["X-A": "b"]))
            }
            Innernet.intercept(.get, matching: "apple.com/redirected") { request, completion in
                let response = request.url.flatMap {
                    HTTPURLResponse(url: $0, statusCode: status, httpVersion: nil, headerFields: ["X-A": "b"])
                }
                completion(.redirected(data: Data("data".utf8), response: response, error: nil))
            }
            for path in ["mock", "redirected"] {
                let answer = try await session.answer(request("https://apple.com/\(path)"))
                #expect(answer.head.statusCode == status && answer.text == "data")
                #expect(answer.head.value(forHTTPHeaderField: "X-A") == "b")
            }
        }

        @Test func `the raw value of a method is the name that is sent`() {
            let methods: [Innernet.HTTPMethod] = [.get, .options, .custom("Purge")]
            #expect(methods.map(\.rawValue) == ["GET", "OPTIONS", "Purge"])
        }

        @Test func `mock responses and wildcards can be used as values`() async throws {
            let mock = MockResponse(status: 201, data: Data("mine".utf8), headers: ["X-A": "b"])
            intercept("apple.com/\(WildcardKey.allPathMatch.rawValue)", "all")
            Innernet.intercept(.get, matching: "apple.com/\(WildcardKey.singlePathMatch.rawValue)/b") { _, completion in
                completion(.mock(status: mock.status, data: mock.data, headers: mock.headers))
            }
            #expect(try await session.answer(request("https://apple.com/a/b")).head.statusCode == 201)
            #expect(try await session.text("https://apple.com/a/c") == "all")
            #expect(mock == MockResponse(status: 201, data: mock.data, headers: mock.headers))
        }

        @Test func `the latest matching registration takes precedence`() async throws {
            intercept("apple.com/**", "first")
            intercept("apple.com/foo", "second")
            Innernet.intercept(.get, canIntercept: { _ in false }) { _, completion in
                completion(.networkError(.unreachable))
            }
            #expect(try await session.text("https://apple.com/foo") == "second")
            #expect(try await session.text("https://apple.com/bar") == "first")
        }

        @Test func `a closure can select requests by any property`() async throws {
            Innernet.intercept(
                .post, canIntercept: { $0.value(forHTTPHeaderField: "X-Kind") == "a" },
                onRequest: { request, completion in
                    let parts = [request.url?.absoluteString, request.httpMethod].compactMap { $0 }
                    let body = request.httpBody ?? Data()
                    completion(
                        .mock(
                            status: 201, data: Data(parts.joined(separator: " ").utf8) + body, headers: ["X-A": "b"],
                            httpVersion: "HTTP/1.0"))
                })
            var sent = request("https://apple.com/foo", method: "POST", body: "!")
            sent.setValue("a", forHTTPHeaderField: "X-Kind")
            let answer = try await session.answer(sent)
            #expect(answer.text == "https://apple.com/foo POST!")
            #expect(answer.head.statusCode == 201)
            #expect(answer.head.value(forHTTPHeaderField: "X-A") == "b")
            sent.setValue("b", forHTTPHeaderField: "X-Kind")
            await #expect(throws: InnernetsError.self) { try await session.answer(sent) }
        }

        @Test func `a handler can be asynchronous`() async throws {
            Innernet.intercept(.get, matching: "apple.com/async/*") { request in
                await Task.yield()
                guard request.url?.lastPathComponent == "1" else { throw OwnError() }
                return .mock(status: 200, data: Data("later".utf8), headers: nil)
            }
            #expect(try await session.text("https://apple.com/async/1") == "later")
            #expect(await session.error("https://apple.com/async/2") is OwnError)
            Innernet.intercept(.get, canIntercept: { $0.url?.path == "/chosen" }) { _ in
                .mock(status: 200, data: Data("chosen".utf8), headers: nil)
            }
            #expect(try await session.text("https://apple.com/chosen") == "chosen")
        }

        @Test func `a request can fail with any error`() async {
            let errors: [(NetworkError, @Sendable (any Error) -> Bool)] = [
                (.timeout, { ($0 as? URLError)?.code == .timedOut }),
                (.unreachable, { ($0 as? URLError)?.code == .notConnectedToInternet }),
                (.framework(.interceptTimeout), { $0 as? InnernetsError == .interceptTimeout }),
                (.custom(OwnError()), { $0 is OwnError }),
            ]
            for (error, isExpected) in errors {
                Innernet.intercept(.get, matching: "apple.com/error") { _, completion in
                    completion(.networkError(error))
                }
                let got = await session.error("https://apple.com/error")
                #expect(got.map(isExpected) == true, "\(error): \(String(describing: got))")
            }
        }

        @Test func `the result of another request can be forwarded`() async throws {
            Innernet.intercept(.get, matching: "apple.com/redirected/*") { request, completion in
                guard let url = URL(string: "https://pear.org/"), request.url?.lastPathComponent == "1" else {
                    return completion(.redirected(data: nil, response: nil, error: OwnError()))
                }
                let response = HTTPURLResponse(url: url, statusCode: 404, httpVersion: nil, headerFields: ["X-A": "b"])
                completion(.redirected(data: Data("theirs".utf8), response: response, error: nil))
            }
            let answer = try await session.answer(request("https://apple.com/redirected/1"))
            #expect(answer.text == "theirs")
            #expect(answer.head.statusCode == 404)
            #expect(answer.head.value(forHTTPHeaderField: "X-A") == "b")
            #expect(await session.error("https://apple.com/redirected/2") is OwnError)
        }

        @Test func `no request is intercepted after all intercepts are unregistered`() async {
            intercept("apple.com/**")
            #expect(await session.error("https://apple.com/foo") == nil)
            Innernet.unregisterAll()
            #expect(await session.error("https://apple.com/foo") is InnernetsError)
        }
    }
}
