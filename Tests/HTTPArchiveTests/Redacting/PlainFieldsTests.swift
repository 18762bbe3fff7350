import HTTPArchive
import Testing

/// Header fields and short strings that a redactor has seen in earlier entries.
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

    @Test func `short strings are distinguished by name and bytes, and from header fields`() throws {
        let redactor = try HARRedactor.test()
        let secret = "Zx81kQ0vTn4mB7yW"
        // The Kelvin sign is canonically equivalent to the letter.
        let equivalent = secret.replacing("k", with: "K").replacing("K", with: "\u{212A}")
        for text in [secret, equivalent] {
            var plain = entry([("X-Other", "a"), ("X-Note", text)])
            plain["_note"] = .string(JSONString(text))
            plain["_apiKe"] = .string(JSONString("y\(text)"))
            #expect(redactor.redacted(plain) == plain)
        }
        for name in ["_apiKey", "_token", "password"] {
            var changed = entry([])
            changed[name] = .string(JSONString(secret))
            #expect(redactor.redacted(changed)[name]?.text?.hasPrefix("REDACTED") == true)
        }
        var tokens = entry([("X-Note", "AKIA\u{212A}QZ3NPXTBWYHMOLX")])
        #expect(redactor.redacted(tokens) == tokens)
        tokens.request.headers[0].value = "AKIAKQZ3NPXTBWYHMOLX"
        #expect(redactor.redacted(tokens) != tokens)
    }

    @Test func `the secrets of equal entries are counted equally`() throws {
        let redactor = try HARRedactor.test()
        let secret = "Zx81kQ0vTn4mB7yW"
        for fields in [
            [("X-Trace", secret), ("Authorization", "Bearer \(secret)")],
            [("Accept", "text/html"), ("Cookie", "session=\(secret); theme=dark")], [("X-Trace", secret)],
        ] {
            let counts = (0..<3).map { _ in
                var count = 0
                _ = redactor.redacted(entry(fields), counting: &count)
                return count
            }
            #expect(Set(counts).count == 1, "\(counts)")
        }
    }
}
