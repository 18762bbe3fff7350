import HTTPArchive
import Testing

@testable import har

@Suite(.limited) struct TextProbeTests {
    /// Returns whether the entry with a response body has to be parsed to search for an absent text.
    private func mayMatch(_ text: String, encoding: String? = nil) throws -> Bool {
        var entry = HAR.Entry.sample("GET", "https://a.test/", body: "")
        entry.response.content.text = text
        entry.response.content.encoding = encoding
        let json = try #require(JSONNode(.object(entry.fields)))
        let probe = try #require(TextProbe("abzztext", matchesCase: false))
        return json.withBytes { probe.mayMatch($0, isBinary: { false }) }
    }

    @Test(arguments: ["mountains\"\"description", "use strict", "a\\b", "<p>", "{\"a\":1}", "a b", "Grüße", "1.5", ""])
    func `entries without Base64 are not parsed`(text: String) throws { #expect(try !mayMatch(text)) }

    @Test(arguments: ["R3LDvMOfZQ==", "R3LD\r\nvMOfZQ==", "a/b_c-d+", "data:text/plain,%41", "abc"])
    func `entries with text that may be Base64 are parsed`(text: String) throws { #expect(try mayMatch(text)) }

    @Test(arguments: ["R3LD vMOf ZQ==", "R3LD\tvMOfZQ==", " R3LDvMOfZQ=="])
    func `spaces may be in marked Base64`(text: String) throws { #expect(try mayMatch(text, encoding: "base64")) }
}
