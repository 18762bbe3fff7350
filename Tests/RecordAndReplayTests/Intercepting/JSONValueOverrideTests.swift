import Foundation
import HTTPArchive
import Relay
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.limited) struct JSONValueOverrideTests {
    /// Returns a response body with its values overridden.
    private func changed(_ body: String, _ values: [String: JSONValue]) async throws -> String {
        let server = try LoopbackServer { _ in LoopbackServer.ok(body) }
        Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: values)
        defer { Relay.stop() }
        return try await URLSession.shared.text(server.url("/"))
    }

    @Test(arguments: [
        (#"{"id": 5, "x": 1}"#, #"{"id": "new", "x": 1}"#),
        (#"{"a": {"id": null, "b": {"id": [1]}}}"#, #"{"a": {"id": "new", "b": {"id": "new"}}}"#),
        (#"[{"id": 1}, {"id": {"id": 2}}]"#, #"[{"id": "new"}, {"id": "new"}]"#),
        (#"{"other": 1}"#, #"{"other": 1}"#), (#"[1, "id", null]"#, #"[1, "id", null]"#), ("no JSON", "no JSON"),
        ("", ""), (#"{"id": 1"#, #"{"id": 1"#),
    ])
    func `every value with the name is replaced, at any depth and of any type`(body: String, expected: String)
        async throws
    {
        #expect(try await changed(body, ["id": "new"]) == expected)
    }

    @Test func `overrides do not apply inside a replacement`() async throws {
        #expect(try await changed(#"{"id": 1}"#, ["id": ["id": 2, "n": 3], "n": 4]) == #"{"id": {"id":2,"n":3}}"#)
    }

    @Test func `values can be any JSON`() async throws {
        let body = #"{"id":0,"n":0,"b":0,"l":0,"o":0,"f":0,"z":0}"#
        let values: [String: JSONValue] = ["f": 1.5, "z": nil]
        let server = try LoopbackServer { _ in LoopbackServer.ok(body) }
        Relay.interceptAndModify(
            urlKeywords: [server.keyword],
            jsonValueOverrides: ["id": "x", "n": 5, "b": true, "l": [1], "o": ["a": nil]])
        let first = try await URLSession.shared.text(server.url("/"))
        #expect(first == #"{"id":"x","n":5,"b":true,"l":[1],"o":{"a":null},"f":0,"z":0}"#)
        #expect(try await changed(first, values) == first.replacing("\"f\":0,\"z\":0", with: "\"f\":1.5,\"z\":null"))
    }

    @Test func `values can be a dictionary of strings in every variant of the call`() async throws {
        let texts: [String: String] = ["id": "x"]
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"id": 1}"#) }
        let records = try Records()
        let calls: [@Sendable () -> Void] = [
            { Relay.interceptAndModify(urlKeywords: [server.keyword], jsonValueOverrides: texts) },
            {
                let config = InterceptionConfig(urlKeywords: [server.keyword], jsonValueOverrides: texts)
                Relay.startInterceptingAndModifying(interceptionConfig: config)
            },
            {
                Relay.recordAndReplay(
                    recordingRootFolder: records.file, isRecordingEnabled: true, urlKeywords: [server.keyword],
                    jsonValueOverrides: texts)
            },
        ]
        for call in calls {
            call()
            #expect(try await URLSession.shared.text(server.url("/")) == #"{"id": "x"}"#)
        }
    }

    @Test func `replacements are not recorded`() async throws {
        let server = try LoopbackServer { _ in LoopbackServer.ok(#"{"id": 1}"#) }
        let records = try Records()
        for (isRecording, value) in [(true, "a"), (false, "b")] as [(Bool, JSONValue)] {
            Relay.recordAndReplay(
                recordingRootFolder: records.file, recordingFolder: "f", isRecordingEnabled: isRecording,
                urlKeywords: [server.keyword], jsonValueOverrides: ["id": value])
            #expect(try await URLSession.shared.text(server.url("/")) == #"{"id": "\#(isRecording ? "a" : "b")"}"#)
        }
        #expect(try records.entries(of: "f").first?.response.content.text == #"{"id": 1}"#)
    }
}
