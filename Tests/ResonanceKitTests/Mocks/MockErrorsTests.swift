import Foundation
import HTTPArchive
import ResonanceKit
import Testing

@Suite(.limited) struct MockErrorsTests {
    typealias MockErrors = JSONMockServer.MockErrors

    private static let good = JSONMockServerTests.mock(1)

    private func error(_ text: String) throws -> MockErrors {
        let mocks = try MocksFolder(["Api/Good.json": "[\(Self.good)]", "Api/People.json": text])
        return try #require(throws: MockErrors.self) { try JSONMockServer(baseURL: mocks.url) }
    }

    @Test(arguments: [
        (#""status":200,"method":"GET","response":{}"#, MockErrors.mockRequestMissing, "/1/request"),
        (#""request":[],"status":200,"method":"GET","response":{}"#, .mockRequestMissing, "/1/request"),
        (#""request":{"a":{}},"status":200,"method":"GET","response":{}"#, .mockRequestMissing, "/1/request/a"),
        (#""request":{},"method":"GET","response":{}"#, .mockStatusMissing, "/1/status"),
        (#""request":{},"status":1000,"method":"GET","response":{}"#, .mockStatusMissing, "/1/status"),
        (#""request":{},"status":200,"response":{}"#, .mockMethodMissing, "/1/method"),
        (#""request":{},"status":200,"method":1,"response":{}"#, .mockMethodMissing, "/1/method"),
        (#""request":{},"status":200,"method":"GET""#, .mockResponseMissing, "/1/response"),
    ])
    func `a missing field of a mock is reported with the file and the location`(
        fields: String, kind: MockErrors, place: String
    ) throws {
        let error = try error("[\(Self.good),{\(fields)}]")
        #expect(error == kind)
        #expect((error.details as? HARError)?.context.pointer?.description == place)
        #expect((error.details as? HARError)?.context.file?.hasSuffix("/Mocks/Api/People.json") == true)
        #expect(error.localizedDescription.contains("Mocks/Api/People.json"))
        #expect(error.localizedDescription.contains(place))
    }

    @Test(arguments: ["", "{}", "nothing", "[", "[1]", "[null]", "7", "[{}"])
    func `a file that is not an array of mocks is a parse error`(text: String) throws {
        let error = try error(text)
        #expect(error == .mockFileDidNotParse)
        #expect(error.localizedDescription.contains("Mocks/Api/People.json"))
    }

    @Test func `a file that cannot be read is a load failure`() throws {
        let mocks = try MocksFolder([:])
        let file = mocks.url.appendingPathComponent("x.json")
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "nowhere")
        #expect(throws: MockErrors.loadFailure) { try JSONMockServer(baseURL: mocks.url) }
    }

    @Test func `creating a server for a missing folder fails`() throws {
        let mocks = try MocksFolder(["x.json": "[]"])
        for name in ["Other", "x.json"] {
            let url = mocks.url.appendingPathComponent(name)
            let error = #expect(throws: MockErrors.self) { try JSONMockServer(baseURL: url) }
            #expect(error == .mockFolderNotFound)
            #expect(error?.description.contains(url.path) == true)
        }
    }

    @Test func `an empty folder and an empty file have no mocks`() throws {
        for mocks in [try MocksFolder([:]), try MocksFolder(["x.json": "[]"])] {
            #expect(throws: Never.self) { try JSONMockServer(baseURL: mocks.url) }
        }
    }

    @Test func `the errors of the session and the server have the same names`() {
        let kinds: [JSONMockServerSession.MockErrors] = [.loadFailure, .paramsDidNotParse, .requestCreationFailure]
        #expect(kinds.map(\.description) == ["loadFailure", "paramsDidNotParse", "requestCreationFailure"])
        #expect(kinds.first == JSONMockServer.MockErrors.loadFailure)
    }

    @Test func `errors can be caught by kind`() throws {
        func name(_ error: any Error) -> String {
            do {
                throw error
            } catch JSONMockServer.MockErrors.mockStatusMissing {
                return "status"
            } catch JSONMockServer.MockErrors.loadFailure {
                return "load"
            } catch let error as JSONMockServer.MockErrors where error == .mockMethodMissing {
                return "method"
            } catch {
                return "other"
            }
        }
        #expect(name(try error(#"[{"request":{},"method":"GET","response":{}}]"#)) == "status")
        #expect(name(MockErrors.loadFailure) == "load")
        #expect(name(MockErrors.mockMethodMissing) == "method")
        #expect(name(MockErrors.mockFolderNotFound) == "other")
        #expect(name(URLError(.badURL)) == "other")
        #expect(MockErrors.loadFailure.description == "loadFailure")
    }
}
