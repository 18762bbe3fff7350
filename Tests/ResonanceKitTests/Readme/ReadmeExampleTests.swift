import Foundation
import Relay
import ResonanceKit
import Testing

/// The examples from the library's README, changed only where they are not valid Swift.
@Suite(.limited) struct ReadmeExampleTests {
    struct ErrorResponse: Decodable, CustomStringConvertible {
        let detail: String
        var description: String { detail }
    }

    /// The controller that the README assumes, with the README's unchanged calls.
    final class NetworkController {
        let session: JSONSession

        init(mocks: JSONMockServer) {
            // The README assigns `session` without declaring it.
            let session: JSONSession
            session = JSONSession(baseURL: "https://MyGreatRestService.com")
            session.keyDecodingStrategy = .convertFromSnakeCase
            // The README's dates have fractional seconds, which no built-in strategy supports on all platforms.
            session.dateDecodingStrategy = .custom { decoder in
                let text = try decoder.singleValueContainer().decode(String.self)
                return try Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
            }
            session.urlSession = JSONMockServerSession(mockServer: mocks)
            self.session = session
        }

        func people(filter: String, page: Int) throws -> People {
            let request = JSONRequest<People, ErrorResponse>(
                method: .get,
                path: "api/1.0/people/",
                session: session
            )
            return try request.perform(parameters: ["search": filter, "page": String(page)]).await()
        }

        func people(search: String) async throws -> People {
            let request = JSONRequest<People, ErrorResponse>(
                method: .get,
                path: "people",
                session: session
            )
            return try await request.perform(parameters: ["search": search])
        }
    }

    private func expectTheExample(_ people: People) {
        #expect(people.count == 82)
        #expect(people.next?.absoluteString == "http://swapi.dev/api/people/?page=2")
        #expect(people.results.map(\.description) == ["Luke Skywalker", "C-3PO"])
        #expect(people.results.first?.birthYear == "19BBY")
        #expect(people.results.first?.vehicles.count == 2)
        #expect(people.results.last?.created.timeIntervalSince1970.rounded() == 1_418_224_251)
    }

    @Test func `a request is performed by a coroutine`() async throws {
        let mocks = try MocksFolder(["Api/1.0/People.json": peopleMock])
        let server = try JSONMockServer(baseURL: mocks.url)
        let people = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.main.startCoroutine {
                let controller = NetworkController(mocks: server)
                continuation.resume(with: Result { try controller.people(filter: "a b", page: 1) })
            }
        }
        expectTheExample(people)
    }

    @Test func `a request is performed by a task`() async throws {
        let mocks = try MocksFolder(["People.json": peopleMock])
        let controller = NetworkController(mocks: try JSONMockServer(baseURL: mocks.url))
        expectTheExample(try await controller.people(search: "x"))
    }
}
