import ErrorCatalog
import Foundation
import ResonanceKit
import Testing

/// The error messages of this module.
///
/// Each example triggers the actual error.
@Suite(.limited) struct ErrorCatalogTests {
    @Test func `the messages of all errors are listed in the catalog`() async throws {
        var catalog = ErrorCatalog()
        try catalog.addMocks()
        try await catalog.addRequests()
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("errors.txt")
        if let differences = try catalog.differences(from: file) { Issue.record("\(differences)") }
    }
}

extension ErrorCatalog {
    fileprivate mutating func addMocks() throws {
        let mocks = try MocksFolder([:])
        replace(mocks.url.deletingLastPathComponent().path, with: "FOLDER")
        let file = mocks.url.appendingPathComponent("People.json")
        for (title, text) in [
            ("a mock without a request", #"[{"status":200,"method":"GET","response":{}}]"#),
            ("a mock whose request is an array", #"[{"request":[],"status":200,"method":"GET","response":{}}]"#),
            ("a mock without a status", #"[{"request":{},"method":"GET","response":{}}]"#),
            ("a mock with an invalid status", #"[{"request":{},"status":1000,"method":"GET","response":{}}]"#),
            ("a mock without a method", #"[{"request":{},"status":200,"response":{}}]"#),
            ("a mock without a response", #"[{"request":{},"status":200,"method":"GET"}]"#),
            ("a file with an object", "{}"), ("a file with invalid JSON", "[{]"), ("an empty file", ""),
        ] {
            try Data(text.utf8).write(to: file)
            add(title) { try JSONMockServer(baseURL: mocks.url) }
        }
        add("a missing folder") { try JSONMockServer(baseURL: mocks.url.appendingPathComponent("Other")) }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "nowhere")
        add("a link to a missing file") { try JSONMockServer(baseURL: mocks.url) }
    }

    fileprivate mutating func addRequests() async throws {
        let mocks = try MocksFolder([
            "People.json": #"[{"request":{"page":"1"},"status":200,"method":"GET","response":{}}]"#
        ])
        let session = try mocks.session()
        await add(
            "a request without a mock",
            awaiting: {
                try await JSONRequest<Value, Failure>(method: .delete, path: "People", session: session).perform()
            })
        for (title, status, body) in [
            ("a failure with a message", 404, #"{"reason":"it rains"}"#),
            ("a failure in another format", 500, "<html>"),
        ] {
            let session = JSONSession(NotingSession(status: status, body: body))
            await add(
                title,
                awaiting: {
                    try await JSONRequest<Value, Failure>(method: .get, path: "x", session: session).perform()
                })
        }
        for (title, error) in [
            ("an invalid URL", RESTRequestError.invalidURL), ("a response that is not HTTP", .badResponse),
            ("invalid parameters", .badParameter),
        ] { add(title, error: error) }
    }
}
