import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

/// The text of an archive and its findings.
struct CheckedArchive {
    let text: String
    let findings: [HARFinding]

    /// Checks the text of an archive.
    init(_ text: String) throws {
        self.text = text
        var findings: [HARFinding] = []
        try HARChecker.check(HARReader(data: Data(text.utf8))) { findings.append($0) }
        self.findings = findings
    }

    /// Checks the valid archive after replacing parts of its text.
    init(_ changes: (old: String, new: String)...) throws {
        var text = Self.valid
        for (old, new) in changes {
            try #require(text.contains(old))
            text = text.replacing(old, with: new, maxReplacements: 1)
        }
        try self.init(text)
    }

    /// Expects exactly one finding for a rule, with a JSON pointer and a location in the file.
    ///
    /// The location must be the first occurrence of `text`.
    func expect(
        _ rule: HARFinding.Rule, _ severity: HARFinding.Severity, at pointer: String, over text: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = findings.filter { $0.rule == rule }
        #expect(found.map(\.severity) == [severity], sourceLocation: sourceLocation)
        #expect(found.map(\.pointer.description) == [pointer], sourceLocation: sourceLocation)
        #expect(found.map(\.byteOffset) == [try offset(of: text)], sourceLocation: sourceLocation)
    }

    /// Expects no findings.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(findings == [], sourceLocation: sourceLocation)
    }

    /// Expects no findings for a rule.
    func expectNo(_ rule: HARFinding.Rule, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(findings.filter { $0.rule == rule } == [], sourceLocation: sourceLocation)
    }

    /// Returns the offset of the first occurrence of `part`, in bytes.
    func offset(of part: String) throws -> Int {
        let range = try #require(text.range(of: part))
        return text.utf8.distance(from: text.startIndex, to: range.lowerBound)
    }

    /// An archive without findings.
    static let valid = """
        {"log": {"version": "1.2", "creator": {"name": "Tool", "version": "1"},
        "pages": [{"startedDateTime": "2024-05-01T10:00:00.000Z", "id": "page_1", "title": "Page",
         "pageTimings": {"onContentLoad": 12.5, "onLoad": -1}}],
        "entries": [\(entry)]}}
        """

    /// The entry of the valid archive.
    static let entry = """
        {"pageref": "page_1", "startedDateTime": "2024-05-01T10:00:01.000Z", "time": 20,
         "request": {"method": "POST", "url": "http://example.org/a?b=c", "httpVersion": "HTTP/1.1",
          "cookies": [{"name": "k", "value": "v"}], "headers": [{"name": "Accept", "value": "*/*"}],
          "queryString": [{"name": "b", "value": "c"}],
          "postData": {"mimeType": "text/plain", "text": "asked"}, "headersSize": 100, "bodySize": 5},
         "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
          "cookies": [{"name": "s", "value": "t", "expires": "2025-01-01T00:00:00+02:00"}],
          "headers": [{"name": "Content-Type", "value": "text/html"}],
          "content": {"size": 6, "mimeType": "text/html", "text": "answer"},
          "redirectURL": "", "headersSize": -1, "bodySize": 6},
         "cache": {}, "timings": {"blocked": -1, "send": 1, "wait": 18, "receive": 1}}
        """
}
