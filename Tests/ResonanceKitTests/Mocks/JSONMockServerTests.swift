import Foundation
import HTTPArchive
import Relay
import ResonanceKit
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONMockServerTests {
    /// Returns a mock whose response is a number.
    static func mock(_ value: Int, method: String = "GET", request: String = "{}", status: Int = 200) -> String {
        #"{"request":\#(request),"status":\#(status),"method":"\#(method)","response":{"value":\#(value)}}"#
    }

    private func value(
        _ path: String, _ session: JSONSession, method: HTTPMethod = .get, parameters: [String: String] = [:],
        body: Data? = nil
    ) async throws -> Int {
        let request = JSONRequest<Value, Failure>(method: method, path: path, session: session)
        return try await request.perform(parameters: parameters, body: body).value
    }

    @Test(arguments: ["api/people", "/api/people", "api/people/", "API/People", "/api//PEOPLE/"])
    func `a file matches its path regardless of case`(path: String) async throws {
        let mocks = try MocksFolder(["Api/People.json": "[\(Self.mock(7))]"])
        #expect(try await value(path, try mocks.session()) == 7)
    }

    @Test(arguments: [#""404""#, #""OK""#, "null", "true", "200.5", "[404]", "{}"])
    func `a status that is not an integer becomes 200`(status: String) async throws {
        let file = #"[{"request":{},"status":\#(status),"method":"GET","response":{"value":7}}]"#
        #expect(try await value("x", try MocksFolder(["x.json": file]).session()) == 7)
    }

    @Test func `a command is part of the path`() async throws {
        let mocks = try MocksFolder([
            "Commands/Command1.json": "[\(Self.mock(1))]", "Commands/Command2.json": "[\(Self.mock(2))]",
        ])
        let request = JSONRequest<Value, Failure>(method: .get, path: "/", session: try mocks.session())
        #expect(try await request.perform(command: "commands/command1").value == 1)
        #expect(try await request.perform(command: "commands/command2").value == 2)
        await #expect(throws: JSONMockServer.MockErrors.loadFailure) {
            try await request.perform(command: "commands/missing_command")
        }
    }

    @Test func `the method selects a mock in a file`() async throws {
        let methods: [HTTPMethod] = [.get, .post, .put, .delete, .patch]
        let file = methods.enumerated().map { Self.mock($0, method: $1.rawValue) }.joined(separator: ",")
        let session = try MocksFolder(["x.json": "[\(file)]"]).session()
        for (number, method) in methods.enumerated() {
            #expect(try await value("x", session, method: method) == number)
        }
    }

    @Test(arguments: [HTTPMethod.get, .post])
    func `the parameters select a mock in a file`(method: HTTPMethod) async throws {
        let requests = [#"{"page":"1"}"#, #"{"page":"2"}"#, #"{"page":2,"search":"a b"}"#, "{}"]
        let file = requests.enumerated().map { Self.mock($0, method: method.rawValue, request: $1) }
        let session = try MocksFolder(["x.json": "[\(file.joined(separator: ","))]"]).session()
        for (number, parameters) in [["page": "1"], ["page": "2"], ["page": "2", "search": "a b"], [:]].enumerated() {
            #expect(try await value("x", session, method: method, parameters: parameters) == number)
        }
        #expect(try await value("x", session, method: method, parameters: ["page": "1", "more": "x"]) == 0)
        #expect(try await value("x", session, method: method, parameters: ["page": "3"]) == 3)
    }

    @Test func `a request whose parameters match no mock fails, and the error lists them`() async throws {
        let file = Self.mock(1, request: #"{"page":"1","password":"hush"}"#)
        let session = try MocksFolder(["x.json": "[\(file)]"]).session()
        for parameters in [["page": "2", "password": "hush"], ["password": "hush"], [:]] {
            let error = await #expect(throws: JSONMockServer.MockErrors.self) {
                try await value("x", session, parameters: parameters)
            }
            #expect(error == .loadFailure)
            #expect((error?.details as? RelayError)?.code == .noMatchingEntry)
            #expect(error?.description.contains("parameter") == true)
            #expect(error?.description.contains("hush") == false)
        }
    }

    @Test func `the members of a JSON body are also parameters`() async throws {
        let file = Self.mock(1, method: "POST", request: #"{"page":2,"filter":{"a":[1]}}"#)
        let session = try MocksFolder(["x.json": "[\(file)]"]).session()
        let body = Data(#"{"filter": {"a": [1]}, "page": 2, "more": null}"#.utf8)
        #expect(try await value("x", session, method: .post, body: body) == 1)
        await #expect(throws: JSONMockServer.MockErrors.loadFailure) {
            try await value("x", session, method: .post, body: Data(#"{"filter":{"a":[2]},"page":2}"#.utf8))
        }
    }

    @Test func `the last of several equal mocks is used for every request`() async throws {
        let session = try MocksFolder(["x.json": "[\(Self.mock(1)),\(Self.mock(2))]"]).session()
        for _ in 0..<3 { #expect(try await value("x", session) == 2) }
    }

    @Test func `the mock determines the status, and its response is decoded as the error model`() async throws {
        let mock = #"{"request":{},"status":404,"method":"GET","response":{"reason":"it rains"}}"#
        let session = try MocksFolder(["x.json": "[\(mock)]"]).session()
        await #expect {
            try await value("x", session)
        } throws: { error in
            if case RESTRequestError.statusCodeResponse(404, "because it rains") = error { true } else { false }
        }
    }

    @Test func `a response has the body of the mock and the requested URL`() async throws {
        let mocks = try MocksFolder(["x.json": "[\(Self.mock(1))]"])
        let session = JSONMockServerSession(mockServer: try JSONMockServer(baseURL: mocks.url))
        let url = try #require(URL(string: "https://a.test/x?y=z"))
        let (data, response) = try await session.loadData(request: URLRequest(url: url)).await()
        #expect(data == Data(#"{"value":1}"#.utf8))
        #expect(response.url == url)
        #expect((response as? HTTPURLResponse)?.allHeaderFields.isEmpty == true)
    }

    @Test func `files other than JSON are ignored, and folders can have any name`() async throws {
        let mocks = try MocksFolder(
            [
                "README.md": "x", "cert.pem": "y", "a b/é.JSON": "[\(Self.mock(1))]",
                "v1.json/x.json": "[\(Self.mock(2))]",
            ],
            name: "Answers")
        let session = try mocks.session()
        #expect(try await value("a%20b/%C3%A9", session) == 1)
        #expect(try await value("v1.json/x", session) == 2)
    }

    @Test func `each of several servers uses its own folder`() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let mocks = try MocksFolder(["x.json": "[\(Self.mock(number))]"])
                    return try await value("x", try mocks.session()) == number
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }
}
