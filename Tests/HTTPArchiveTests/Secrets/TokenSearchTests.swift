import Foundation
import Testing

@testable import HTTPArchive

@Suite(.limited) struct TokenSearchTests {
    private static func found(_ text: String) -> [String] {
        Array(text.utf8).withUnsafeBytes { bytes in
            tokens(in: bytes).map { "\($0.kind): \(String(decoding: bytes[$0.range], as: UTF8.self))" }
        }
    }

    /// Returns the tokens in the text, in order.
    private static func tokens(in text: UnsafeRawBufferPointer) -> [(kind: SecretKind, range: Range<Int>)] {
        var search = TokenSearch()
        var found: [(kind: SecretKind, range: Range<Int>)] = []
        var offset = 0
        while offset < text.count {
            let isInWord = offset > 0 && text[offset - 1].isPartOfWord && text[offset].isPartOfWord
            let mayBegin =
                !isInWord
                && (TokenSearch.isStart[TokenSearch.pair(in: text, at: offset)]
                    || CardNumber.mayBegin(in: text, at: offset))
            if mayBegin, let token = search.token(in: text, at: offset) {
                found.append(token)
                offset = token.range.upperBound
            } else {
                offset += 1
            }
        }
        return found
    }

    private static let random = "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX2yZ3"

    @Test(arguments: [
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-DEF_123", HARRedactor.Kind.jsonWebToken),
        ("AKIA1234567890ABCDEF", .awsKey), ("ghp_\(random.prefix(36))", .gitHubToken),
        ("github_pat_\(random)", .gitHubToken), ("xoxb-123456789012-abcdefGHIJ", .slackToken),
        ("sk_live_\(random.prefix(24))", .stripeKey), ("AIza\(random.prefix(35))", .googleKey),
        ("ya29.\(random)", .googleKey),
        ("-----BEGIN EC PRIVATE KEY-----\\nabc\\n-----END EC PRIVATE KEY-----", .privateKey),
        ("4111111111111111", .cardNumber), ("5555-5555-5555-4444", .cardNumber), ("3782 822463 10005", .cardNumber),
        ("6011111111111117", .cardNumber), ("sk-proj-\(random)", .serviceToken),
        ("glpat-\(random.prefix(20))", .serviceToken),
    ])
    func `a secret is recognized by its format`(secret: String, kind: HARRedactor.Kind) {
        for text in [secret, "\"\(secret)\"", "a \(secret), b", "(\(secret))", "x=\(secret)&y"] {
            #expect(Self.found(text) == ["\(kind): \(secret)"], "\(text)")
        }
    }

    @Test(arguments: [
        ("https://hooks.slack.com/services/", "T00000000/B00000000/\(random.prefix(24))", HARRedactor.Kind.slackToken),
        ("https://hooks.slack.com/triggers/", "T00000000/123456789/\(random.prefix(24))", .slackToken),
        ("https://api.telegram.org/bot", "123456789:\(random.prefix(35))", .serviceToken),
        ("https://discord.com/api/webhooks/", "123456789012345678/\(random)", .serviceToken),
    ])
    func `the part of a URL before a secret in its path is kept`(start: String, secret: String, kind: HARRedactor.Kind)
    {
        #expect(Self.found("a \(start)\(secret)?b") == ["\(kind): \(secret)"])
    }

    @Test func `the scheme of a bearer token is kept`() {
        #expect(Self.found("use bearer \(Self.random).") == ["bearer token: \(Self.random)"])
        #expect(Self.found("Bearer of bad news and tokens") == [])
    }

    @Test(arguments: [
        "4111111111111112", "14111111111111111", "41111111111111110", "0.4111111111111111", "4111111111111111.5",
        "a4111111111111111", "4111111111111111b", "4111-1111-1111-11111", "1600000000000", "0000000000000000",
        "4111 11111111 1111", "https://a/4111111111111111", "4111111111111111-x", "9999999999999995",
        "eyJhbGciOiJIUzI1NiJ9", "AKIA1234567890ABCDEFG", "xAKIA1234567890ABCDEF", "ghp_short1",
        "sk_live_your_key_goes_here",
        "AIzaSyShort", "-----BEGIN PUBLIC KEY-----\nabc", "npm_config_registry", "sk-fading-circle",
        "Bearer realm=\"a\"",
    ])
    func `similar strings are not secrets`(text: String) {
        #expect(Self.found(text) == [])
    }
}
