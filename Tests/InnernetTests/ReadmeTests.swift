import Foundation
import Innernet
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

private struct ExampleItem: Codable {
    let id: String
    let value: String
}

extension ProcessWideTests {
    /// The unchanged examples from the library's README.
    @Suite(.limited) struct ReadmeTests {
        private let slate = CleanSlate()
        private let session = URLSession.intercepted

        @Test func `the example of exact matching works`() async throws {
            Innernet.intercept(.get, matching: "somefakedomain.com/items") { req, completion in
                let items: [ExampleItem] = [
                    ExampleItem(id: "1", value: "Foo"),
                    ExampleItem(id: "2", value: "Bar"),
                    ExampleItem(id: "3", value: "Baz"),
                ]
                let data = try? JSONEncoder().encode(items)
                completion(.mock(status: 200, data: data, headers: nil, httpVersion: nil))
            }
            let data = Data(try await session.text("https://somefakedomain.com/items").utf8)
            #expect(try JSONDecoder().decode([ExampleItem].self, from: data).map(\.value) == ["Foo", "Bar", "Baz"])
            #expect(await session.error("https://somefakedomain.com/items/1") is InnernetsError)
        }

        @Test func `the example of variable matching works`() async throws {
            Innernet.intercept(.get, matching: "somefakedomain.com/items/*/info") { req, completion in
                let item = ExampleItem(id: "1", value: "Foo")
                let data = try? JSONEncoder().encode(item)
                completion(.mock(status: 200, data: data, headers: nil, httpVersion: nil))
            }
            #expect(try await session.text("https://somefakedomain.com/items/1/info").contains("Foo"))
        }

        @Test func `the example of wildcard matching works`() async throws {
            Innernet.intercept(.get, matching: "somefakedomain.com/**") { req, completion in
                let item = ExampleItem(id: "1", value: "Foo")
                let data = try? JSONEncoder().encode(item)
                completion(.mock(status: 200, data: data, headers: nil, httpVersion: nil))
            }
            #expect(try await session.text("https://somefakedomain.com/items/1/info").contains("Foo"))
            #expect(try await session.text("https://somefakedomain.com/items/").contains("Foo"))
        }

        @Test func `the settings can be set`() {
            Innernet.allowsPassthroughRequests = true
            Innernet.timeoutThreshold = 15.0
            #expect(Innernet.allowsPassthroughRequests)
            #expect(Innernet.timeoutThreshold == 15)
            Innernet.allowsPassthroughRequests = false
        }
    }
}
