import HTTPArchive
import Testing

/// Header fields that a redactor has seen in earlier entries.
@Suite struct PlainFieldsTests {
    private func entry(_ fields: [(String, String)]) -> HAR.Entry {
        let headers = fields.map { HAR.Header(name: $0.0, value: $0.1) }
        return HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z", time: 1,
            request: HAR.Request(url: "https://shop.example/", headers: headers),
            response: HAR.Response(status: 200, content: HAR.Content(size: 0, mimeType: "text/plain")),
            timings: HAR.Timings(send: 0, wait: 1, receive: 0))
    }

    private func values(_ fields: [(String, String)], by redactor: HARRedactor) -> [String] {
        redactor.redacted(entry(fields)).request.headers.map(\.value)
    }

    @Test func `a field without secrets is searched for the secrets of its entry, even if it was seen before`() throws {
        let redactor = try HARRedactor.test()
        let secret = "Zx81kQ0vTn4mB7yW"
        #expect(values([("X-Trace", secret), ("Accept", "a")], by: redactor) == [secret, "a"])
        let found = values([("X-Trace", secret), ("Authorization", "Bearer \(secret)")], by: redactor)
        #expect(!found.joined().contains(secret))
        #expect(values([("X-Trace", secret), ("Accept", "a")], by: redactor) == [secret, "a"])
    }

    @Test func `fields are distinguished by name and value`() throws {
        let redactor = try HARRedactor.test()
        let secret = "Zx81kQ0vTn4mB7yW"
        let fields = [
            ("X-Api", "-Key\(secret)"), ("Author", "ization\(secret)"), ("", "x-api-key\(secret)"), ("x-note", secret),
        ]
        for field in fields { _ = values([field], by: redactor) }
        for name in ["X-Api-Key", "Authorization", "x-api-key", "X-Note-Token"] {
            #expect(values([(name, secret)], by: redactor) != [secret])
        }
    }

    @Test func `every value of many is redacted`() throws {
        let redactor = try HARRedactor.test()
        for number in 0..<3000 {
            let fields = [("X-Count", "\(number)"), ("Accept", "text/html"), ("X-Api-Key", "k3y-\(number)-Zx81kQ0v")]
            let found = values(fields, by: redactor)
            #expect(found[..<2] == ["\(number)", "text/html"] && found[2].hasPrefix("REDACTED"))
        }
    }
}
