import HTTPArchive
import Testing

@testable import ArchiveInspection

/// The comparison of two entries that a program chooses, and that need not have the same request.
@Suite(.limited) struct EntryComparisonTests {
    private typealias Row = (part: String, name: String?, first: String?, second: String?)

    /// Returns the differences between the two entries of an archive.
    private func differences(_ first: HAR.Entry, _ second: HAR.Entry, limit: Int = .max) throws -> [Row] {
        let folder = try TemporaryFolder()
        let url = try folder.write(HAR.Log.sample(first, second), to: "a.har")
        let archive = ComparedArchive(try HARArchive(contentsOf: url), bodiesIn: HAR.BodyFolder(ofArchive: url))
        let difference = try EntryComparison.difference(
            (first: 0, second: 1), of: archive, and: archive,
            ignoring: VolatileFields(usesDefaults: true, ignoring: []), limit: limit)
        return difference.fields.map { ($0.part, $0.name, $0.firstText, $0.secondText) }
    }

    private func expectEqual(_ rows: [Row], _ expected: [Row], _ location: SourceLocation = #_sourceLocation) {
        #expect(rows.map { "\($0)" } == expected.map { "\($0)" }, sourceLocation: location)
    }

    @Test func `equal entries of one archive have no differences`() throws {
        let entry = HAR.Entry.sample("GET", "https://a.test/")
        expectEqual(try differences(entry, entry), [])
    }

    @Test func `requests can differ in method and URL`() throws {
        let rows = try differences(.sample("get", "https://a.test/1"), .sample("POST", "https://a.test/2", status: 201))
        expectEqual(
            rows,
            [
                ("method", nil, "GET", "POST"), ("url", nil, "https://a.test/1", "https://a.test/2"),
                ("status", nil, "200", "201"),
            ])
        expectEqual(try differences(.sample("get", "https://a.test/"), .sample("GET", "https://a.test/")), [])
    }

    @Test func `a difference has the name of a field, a JSON pointer or the number of a line`() throws {
        let url = "https://a.test/"
        expectEqual(
            try differences(
                .sample(
                    "GET", url, headers: [HAR.Header(name: "X-A", value: "1")], body: #"{"a":[1,2]}"#,
                    type: "application/json"
                ),
                .sample("GET", url, body: #"{"a":[1,"3"]}"#, type: "application/json")),
            [("header", "x-a", "1", nil), ("body", "/a/1", "2", #""3""#)])
        expectEqual(
            try differences(.sample("GET", url, body: "a\nb"), .sample("GET", url, body: "a\nc")),
            [("body", "line 2", "b", "c")])
    }

    @Test func `secrets are replaced, and values are complete`() throws {
        let url = "https://a.test/"
        let secret = HAR.Header(name: "X-Api-Key", value: "4f2b8c6d9e1a7035")
        let long = String(repeating: "a", count: 500)
        expectEqual(
            try differences(
                .sample("GET", url, headers: [secret], body: long), .sample("GET", url, body: "\(long) \(secret.value)")
            ),
            [
                ("header", "x-api-key", MessageRedactor.mask, nil),
                ("body", "line 1", long, "\(long) REDACTED"),
            ])
    }
}
