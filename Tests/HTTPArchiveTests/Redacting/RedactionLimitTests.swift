import Foundation
import TestSupport
import Testing

@testable import HTTPArchive

@Suite(.limited) struct RedactionLimitTests {
    @Test(.enabled(if: Cases.areAll)) func `a string with too many secrets is replaced entirely`() throws {
        let count = Redaction.mostSecrets + 1
        let cookies = (0..<count).map { "sid=Zq8\($0)kT3x" }.joined(separator: "; ")
        let redacted = try HARRedactor.test().redacted(text: "Cookie: \(cookies)")
        #expect(redacted.hasPrefix("REDACTED-"))
        #expect(redacted.utf8.count < 64)
        #expect(MessageRedactor.standard.text("Cookie: \(cookies)").utf8.count < 64)
    }

    @Test(.enabled(if: Cases.areAll)) func `the limit on the number of secrets applies to each string separately`()
        throws
    {
        let half = Redaction.mostSecrets / 2 + 1
        let text = (0..<half).map { "sid=Zq8\($0)kT3x" }.joined(separator: "; ")
        let header = { (name: String) in "{\"name\":\"\(name)\",\"value\":\"\(text)\"}" }
        let pins = (0..<4).map { "8215\($0)93612345678" }.joined(separator: ",")
        let entry = try HAR.Entry.parsed(
            """
            {"request":{"method":"GET","url":"https://a.test/","headers":[\(header("Cookie")),\(header("Cookie"))]},
            "response":{"status":200},"_custom":{"password":[\(pins)]}}
            """)
        let redacted = try HARRedactor.test().redacted(entry).text
        #expect(redacted.utf8.count > text.utf8.count)
        #expect(!redacted.contains("93612345678"))
        #expect(!redacted.contains("kT3x"))
    }

    @Test(arguments: [9_999, 10_000, 10_001, 60_000], ["[", "{\"a\":"])
    func `secrets are found at any depth`(depth: Int, open: String) throws {
        let close = open == "[" ? "]" : "}"
        let secret = "Zq8kT3xV"
        let pair = "{\"password\":\"\(secret)1\"}"
        let list = "{\"name\":\"password\",\"value\":\"\(secret)2\"}"
        let next = open == "[" ? "," : ",\"b\":"
        let text =
            String(repeating: open, count: depth) + pair + next + list + String(repeating: close, count: depth / 2)
            + next
            + pair + next + list + String(repeating: close, count: depth - depth / 2)
        let redacted = try HARRedactor.test().redacted(
            body: Data(text.utf8), mediaType: "application/json")
        let result = String(decoding: redacted, as: UTF8.self)
        #expect(!result.contains(secret))
        #expect(result.contains("\"name\":\"password\""))
    }
}
