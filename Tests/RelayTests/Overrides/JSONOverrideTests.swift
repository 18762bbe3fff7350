import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONOverrideTests {
    /// JSON with number formats, escapes, member order, whitespace and duplicate names that encoders do not preserve.
    private static let text = """
        { "id" : 1.50e1, "name":"Z\\u00fcrich\\/", "token": "abc",
          "items": [ {"token": 7, "n": 1}, [ { "token" : null } ], "token" ],
          "big": 123456789012345678901234567890, "x": 1, "x": 2 }
        """

    private func text(
        of body: String = text, type: String = "application/json", _ overrides: ResponseOverride...
    ) async throws -> String {
        let content = HAR.Content(size: body.utf8.count, mimeType: type, text: body)
        let interceptor = Interceptor(entries: [
            .entry("GET", "http://a/", headers: [("Content-Type", type), ("Content-Length", "1")], body: content)
        ])
        for override in overrides { interceptor.add(.override(.any, override)) }
        let (data, response) = try await interceptor.session().data(from: URL("http://a/"))
        let length = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Length")
        #expect(length == String(data.count))
        return String(decoding: data, as: UTF8.self)
    }

    private func replaced(_ pairs: (String, String)...) -> String {
        pairs.reduce(Self.text) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }

    @Test func `members are replaced at any depth by any value, and nothing else changes`() async throws {
        #expect(
            try await text(.jsonMembers(["token": "new"]))
                == replaced(
                    ("\"token\": \"abc\"", "\"token\": \"new\""), ("\"token\": 7", "\"token\": \"new\""),
                    ("\"token\" : null", "\"token\" : \"new\"")))
        #expect(
            try await text(.jsonMembers(["token": ["deep": true], "id": nil]))
                == replaced(
                    ("1.50e1", "null"), ("\"token\": \"abc\"", "\"token\": {\"deep\":true}"),
                    ("\"token\": 7", "\"token\": {\"deep\":true}"), ("\"token\" : null", "\"token\" : {\"deep\":true}"))
        )
        #expect(try await text(.jsonMembers(["absent": 1])) == Self.text)
    }

    @Test(arguments: ["", "plain text", "[1, 2, \"token\"]", "{broken", "\"token\""])
    func `a body without objects is unchanged`(body: String) async throws {
        #expect(try await text(of: body, .jsonMembers(["token": "x"])) == body)
    }

    @Test func `a pointer sets, adds and removes one value`() async throws {
        #expect(try await text(try .json(at: "/items/0/n", 2)) == replaced(("\"n\": 1", "\"n\": 2")))
        #expect(try await text(try .removingJSON(at: "/items/0/n")) == replaced((", \"n\": 1", "")))
        let added = try await text(try .json(at: "/items/-", "last"))
        #expect(try JSONValue(parsing: added)["items"]?[3] == "last")
    }

    @Test func `the error for a pointer to a missing value or into a body that is not JSON names the pointer`()
        async throws
    {
        let error = await #expect(throws: RelayError.self) { try await text(try .json(at: "/user/name", 1)) }
        #expect(error?.code == .overrideFailed)
        #expect(error?.message.contains("/user") == true)
        let other = await #expect(throws: RelayError.self) { try await text(of: "plain", try .json(at: "/a", 1)) }
        #expect(other?.code == .overrideFailed)
        #expect(other?.message.contains("GET http://a/") == true)
        let rule = #expect(throws: RelayError.self) { try ResponseOverride.json(at: "no slash", 1) }
        #expect(rule?.code == .invalidRule)
    }

    @Test func `patches are applied`() async throws {
        let patch = try JSONPatch(
            parsing: #"[{"op":"test","path":"/x","value":2},{"op":"replace","path":"/id","value":0}]"#)
        #expect(try await text(.jsonPatch(patch)) == replaced(("1.50e1", "0")))
        let failing = try JSONPatch(parsing: #"[{"op":"remove","path":"/id"},{"op":"test","path":"/x","value":3}]"#)
        let error = await #expect(throws: RelayError.self) { try await text(.jsonPatch(failing)) }
        #expect(error?.code == .overrideFailed)
        #expect(try await text(.mergePatch(["id": 3, "absent": nil])) == replaced(("1.50e1", "3")))
        #expect(try await text(of: "plain", .mergePatch(["id": 3])) == "plain")
    }

    private struct Place: Codable {
        struct Item: Codable { var n: Int? }

        var id: Double
        var name: String
    }

    @Test func `a decoded model is changed, and members that it does not declare are kept`() async throws {
        #expect(
            try await text(.model(Place.self) { $0.name = "Basel" })
                == replaced(("\"Z\\u00fcrich\\/\"", "\"Basel\"")))
        #expect(try await text(.model(Place.self) { _ in }) == Self.text)
        await #expect(throws: DecodingError.self) { try await text(of: "{}", .model(Place.self) { $0.id = 1 }) }
    }

    private struct List: Codable {
        struct Item: Codable { var id: Int }

        var items: [Item]
        var next: String?
    }

    @Test func `elements of a list in a model are removed and inserted, and others keep all members`() async throws {
        let body = #"{"items": [{"id": 1, "a": 1.0}, {"id": 2, "b": 2.0}, {"id": 3, "c": 3.0}], "next": "/2"}"#
        let shrunk = try await text(
            of: body,
            .model(List.self) {
                $0.items.remove(at: 1)
                $0.next = nil
            })
        #expect(shrunk == #"{"items": [{"id": 1, "a": 1.0}, {"id": 3, "c": 3.0}]}"#)
        let grown = try await text(of: body, .model(List.self) { $0.items.insert(.init(id: 9), at: 0) })
        let value = try JSONValue(parsing: grown)
        #expect(value["items"]?.array?.map { $0["id"]?.int } == [9, 1, 2, 3])
        #expect(value["items"]?[1]?["a"]?.number?.text == "1.0")
    }
}
