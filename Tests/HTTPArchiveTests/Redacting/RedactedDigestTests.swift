import Foundation
import HTTPArchive
import Testing

/// Digests of bodies in header fields, from which a short secret could be guessed.
@Suite(.limited) struct RedactedDigestTests {
    private static let body = "{\"pin\":\"481516\"}"

    private static func redacted(_ headers: [HAR.Header], body: String = body) throws -> [HAR.Header] {
        var entry = HAR.Entry(
            startedDateTime: "2026-01-01T12:00:00.000Z",
            request: HAR.Request(method: "POST", url: "https://a.test/", headers: headers, bodySize: 0),
            response: HAR.Response(
                status: 200, headers: headers,
                content: HAR.Content(size: body.utf8.count, mimeType: "application/json", text: body)))
        entry.request.postData = HAR.PostData(mimeType: "application/json", text: body)
        let redacted = try HARRedactor.test().redacted(entry)
        #expect(redacted.request.headers == redacted.response.headers)
        return redacted.response.headers
    }

    private static var spellings: [String] {
        HashAlgorithm.allCases.flatMap { algorithm -> [String] in
            let hash = algorithm.hash(of: Data(body.utf8))
            let digits = Hexadecimal.text(hash)
            return [digits, digits.uppercased(), Data(hash).base64EncodedString()]
        }
    }

    @Test(arguments: spellings)
    func `a digest of a body with a secret is replaced in every field`(digest: String) throws {
        let headers = try Self.redacted([
            HAR.Header(name: "ETag", value: "\"\(digest)\""), HAR.Header(name: "X-Custom", value: "v1;\(digest)"),
            HAR.Header(name: "Repr-Digest", value: "sha-256=:\(digest):"),
            HAR.Header(name: "X-Amz-Content-Sha256", value: digest),
        ])
        for header in headers { #expect(!header.value.contains(digest), "\(header.name)") }
        #expect(headers[0].value.wholeMatch(of: /"REDACTED-[0-9a-f]+"/) != nil, "\(headers[0].value)")
        #expect(headers[1].value.hasPrefix("v1;REDACTED-"))
    }

    @Test func `other entity tags, and digests of bodies without secrets, are unchanged`() throws {
        let tags = [HAR.Header(name: "ETag", value: "\"abc-1\""), HAR.Header(name: "ETag", value: "W/\"5f3c\"")]
        #expect(try Self.redacted(tags) == tags)
        let plain = "{\"color\":\"red\"}"
        let digest = Data(HashAlgorithm.sha256.hash(of: Data(plain.utf8))).base64EncodedString()
        let digests = [
            HAR.Header(name: "Content-Digest", value: "sha-256=:\(digest):"), HAR.Header(name: "ETag", value: digest),
        ]
        #expect(try Self.redacted(digests, body: plain) == digests)
    }
}
