import Foundation
import HTTPArchive
import RecordingFormats
import Testing

@Suite(.limited) struct ResonanceKitMocksTests {
    private static let text = #"""
        [{
            "request": {},
            "status": 200,
            "method": "GET",
            "response": {"count": 82, "previous": null, "species": [], },
        },
        {"request": {"search": "Lu ke", "page": 2}, "status": 404, "method": "get", "response": null},
        {"request": {"name": "Leia"}, "status": 201, "method": "POST", "response": [1], "note": "n"}]
        """#

    private func entries(at path: String, below folder: String? = nil) throws -> [HAR.Entry] {
        try ResonanceKitMocks.entries(of: RecordingFile(Self.text, at: path, below: folder))
    }

    @Test func `the last mock becomes the first entry`() throws {
        let entries = try entries(at: "/tests/Mocks/Api/People.json")
        #expect(entries.map(\.request.method) == ["POST", "GET", "GET"])
        #expect(
            entries.map(\.request.url) == [
                "http://localhost/api/people", "http://localhost/api/people?search=Lu%20ke&page=2",
                "http://localhost/api/people",
            ])
        #expect(entries[0].request.body == .data(Data(#"{"name":"Leia"}"#.utf8)))
        #expect(entries.map(\.response.status) == [201, 404, 200])
        #expect(entries[1].response.bodyText == "null")
        #expect(try entries[2].response.bodyJSON() == ["count": 82, "previous": nil, "species": []])
        #expect(entries.allSatisfy { $0.response.headers.isEmpty })
        #expect(entries[0]["_note"] == "n")
        #expect(entries[0].request["_parameters"] == ["name": "Leia"])
        #expect(try entries.findings == [])
    }

    @Test func `paths are relative to the folder Mocks, or else to the searched folder`() throws {
        #expect(try entries(at: "/m/Api/People.json", below: "/m").last?.request.url == "http://localhost/api/people")
        #expect(try entries(at: "/m/Api/People.json").last?.request.url == "http://localhost/people")
        #expect(try entries(at: "/x/Mocks/a/Mocks/B.json", below: "/x").last?.request.url == "http://localhost/b")
    }

    @Test func `the base URL determines the host`() throws {
        var file = RecordingFile(Self.text, at: "/Mocks/People.json")
        file.baseURL = "https://swapi.dev/v1/"
        #expect(try ResonanceKitMocks.entries(of: file).last?.request.url == "https://swapi.dev/v1/people")
    }

    @Test(arguments: ["request", "status", "method", "response"])
    func `an error names the missing field`(field: String) throws {
        let whole = ["request": "{}", "status": "200", "method": #""GET""#, "response": "{}"]
        let members = whole.filter { $0.key != field }.map { #""\#($0.key)": \#($0.value)"# }
        let error = try #require(ResonanceKitMocks.error(of: "[{\(members.joined(separator: ", "))}]"))
        #expect(error.code == .malformedRecording)
        #expect(error.context.pointer?.components == ["0", field])
        #expect(error.context.byteOffset == 1)
    }
}
