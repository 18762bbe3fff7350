import ArchiveChecking
import Foundation
import HTTPArchive
import Testing

@Suite(.limited) struct HARCheckerTests {
    private static let wrong = CheckedArchive.valid.replacing(#""status": 200"#, with: #""status": "x""#)

    private static func entry() throws -> HAR.Entry {
        try #require(try HARReader(data: Data(wrong.utf8)).nextEntry())
    }

    private static func findings(_ entry: HAR.Entry) -> [HARFinding] {
        var checker = HARChecker()
        return checker.check(.entry(entry))
    }

    @Test
    func `findings in a parsed entry have a location in the file, even if the event's offset is unknown`() throws {
        let finding = try #require(try Self.findings(Self.entry()).first)
        #expect(finding.byteOffset == (try CheckedArchive(Self.wrong).offset(of: #""x""#)))
    }

    @Test func `findings in a changed entry have no location`() throws {
        var entry = try Self.entry()
        entry.comment = "changed"
        let findings = Self.findings(entry)
        #expect(findings.map(\.rule) == [.wrongType])
        #expect(findings.map(\.pointer.description) == ["/log/entries/0/response/status"])
        #expect(findings.map(\.byteOffset) == [nil])
    }

    @Test func `events created in code are checked like parsed events`() throws {
        var checker = HARChecker()
        let pages: JSONValue = [7, ["id": "a"]]
        #expect(checker.check(.beginLog) == [])
        let findings = checker.check(.field(.init(name: "pages", value: pages)))
        #expect(findings.map(\.rule) == [.wrongType, .missingField, .missingField, .missingField])
        #expect(findings.first?.pointer.description == "/log/pages/0")
        #expect(checker.finish().map(\.rule) == [.missingField, .missingField, .missingField])
    }

    @Test func `findings before invalid JSON are reported`() throws {
        let text = String(Self.wrong.dropLast(3))
        var rules: [HARFinding.Rule] = []
        let error = #expect(throws: HARError.self) {
            try HARChecker.check(HARReader(data: Data(text.utf8))) { rules.append($0.rule) }
        }
        #expect(error?.code == .malformedJSON)
        #expect(rules == [.wrongType])
    }

    @Test func `invalid UTF-8 is reported as a warning`() throws {
        var data = Data(CheckedArchive.valid.utf8)
        let range = try #require(data.range(of: Data("Tool".utf8)))
        data.replaceSubrange(range, with: [0xFF])
        var findings: [HARFinding] = []
        try HARChecker.check(HARReader(data: data)) { findings.append($0) }
        #expect(findings.map(\.rule) == [.invalidUTF8])
        #expect(findings.map(\.severity) == [.warning])
        #expect(findings.map(\.byteOffset) == [range.lowerBound - 1])
    }

    @Test func `a file can be checked`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).har")
        defer { try? FileManager.default.removeItem(at: url) }
        try Data(Self.wrong.utf8).write(to: url)
        var findings: [HARFinding] = []
        try HARChecker.check(contentsOf: url) { findings.append($0) }
        #expect(findings == (try CheckedArchive(Self.wrong)).findings)
    }

    @Test func `the description of a finding contains its rule and location`() throws {
        let finding = try #require(try CheckedArchive((#""status": 200"#, #""status": "x""#)).findings.first)
        let offset = try #require(finding.byteOffset)
        #expect(
            finding.description == """
                error: /log/entries/0/response/status (byte \(offset)): Expected a number for `status` \
                in a response, found a string. [wrong-type]
                """)
    }

    @Test func `severities are ordered from note to error`() {
        #expect(HARFinding.Severity.allCases.sorted() == [.note, .warning, .error])
    }

    @Test func `a reader reports the same event offsets for any chunk size`() async throws {
        let text = Data(#" {"a": 1, "log": {"b": [ 2], "entries": [ {}, 3 ] } }"#.utf8)
        let expected = [7, 17, 23, 40, 42, 46, 48, 50]
        let reader = HARReader(data: text)
        var offsets: [Int?] = []
        while try reader.nextEvent() != nil { offsets.append(reader.eventOffset) }
        #expect(offsets == expected)
        for size in 1...9 {
            let chunks = AsyncStream { continuation in
                for start in stride(from: 0, to: text.count, by: size) {
                    continuation.yield(text[start..<min(start + size, text.count)])
                }
                continuation.finish()
            }
            let reader = HARAsyncReader(chunks)
            var offsets: [Int?] = []
            while try await reader.nextEvent() != nil { offsets.append(reader.eventOffset) }
            #expect(offsets == expected)
        }
    }
}
