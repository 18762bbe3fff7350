import ArchiveChecking
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerFieldTests {
    @Test func `a valid archive has no findings`() throws {
        try CheckedArchive(CheckedArchive.valid).expectNothing()
    }

    @Test(arguments: [#""method": "POST", "#, #""url": "http://example.org/a?b=c", "#])
    func `a missing required field is reported as an error at the location of the object`(field: String) throws {
        try CheckedArchive((field, ""))
            .expect(.missingField, .error, at: "/log/entries/0/request", over: requestStart(without: field))
    }

    private func requestStart(without field: String) -> String {
        String(CheckedArchive.valid.replacing(field, with: "").split(separator: #""request": "#)[1].prefix(30))
    }

    @Test func `a missing cache object is only a warning, because no data is lost`() throws {
        try CheckedArchive((#""cache": {}, "#, ""))
            .expect(.missingField, .warning, at: "/log/entries/0", over: #"{"pageref""#)
    }

    @Test func `null in a required field is reported as an error`() throws {
        try CheckedArchive((#""OK""#, "null"))
            .expect(.wrongType, .error, at: "/log/entries/0/response/statusText", over: "null")
    }

    @Test func `null in an optional field is reported as a note`() throws {
        try CheckedArchive((#""pageref": "page_1""#, #""pageref": null"#))
            .expect(.nullField, .note, at: "/log/entries/0/pageref", over: "null")
    }

    @Test func `null is a valid cache state, as in an example in the specification`() throws {
        try CheckedArchive((#""cache": {}"#, #""cache": {"afterRequest": null}"#)).expectNothing()
    }

    @Test func `an unknown field is reported as a note, once per kind of object`() throws {
        let other = CheckedArchive.entry.replacing(#""cache""#, with: #""initiator": 9, "cache""#)
        try CheckedArchive(
            (#""cache": {}"#, #""cache": {}, "initiator": 7"#),
            ("]}}", #"], "initiator": 8}}"#),
            (#""entries": ["#, #""entries": [\#(other), "#)
        ).expectUnknownFields(["/log/entries/0/initiator": "9,", "/log/initiator": "8}"])
    }

    @Test func `a custom field is not reported`() throws {
        try CheckedArchive((#""cache": {}"#, #""cache": {}, "_initiator": {"a": [null]}"#)).expectNothing()
    }

    @Test func `a field from HAR 1.2 in a log with version 1.1 is reported as a note`() throws {
        let field = (#""cache": {}"#, #""cache": {}, "connection": "81""#)
        try CheckedArchive((#""1.2""#, #""1.1""#), field)
            .expect(.newerField, .note, at: "/log/entries/0/connection", over: #""81""#)
        try CheckedArchive(field).expectNothing()
    }

    @Test func `a duplicate name in an object is reported as a warning`() throws {
        try CheckedArchive((#""statusText""#, #""status": 404, "statusText""#))
            .expect(.repeatedName, .warning, at: "/log/entries/0/response/status", over: "404")
    }

    @Test(arguments: [1, 8, 9, 40])
    func `a duplicate name of a custom field is reported as a warning`(count: Int) throws {
        let fields = (0..<count).map { #""_\#($0)": \#($0), "# }.joined()
        try CheckedArchive((#""statusText""#, #"\#(fields)"_0": 404, "statusText""#))
            .expect(.repeatedName, .warning, at: "/log/entries/0/response/_0", over: "404")
    }

    @Test func `an element that is not an object is reported as an error`() throws {
        try CheckedArchive((#""headers": ["#, #""headers": [77, "#))
            .expect(.wrongType, .error, at: "/log/entries/0/request/headers/0", over: "77")
    }
}

extension CheckedArchive {
    fileprivate func expectUnknownFields(_ places: [String: String]) throws {
        let found = findings.filter { $0.rule == .unknownField && $0.severity == .note }
        let offsets = Dictionary(uniqueKeysWithValues: found.map { ($0.pointer.description, $0.byteOffset) })
        #expect(offsets == (try places.mapValues { try offset(of: $0) }))
    }
}
