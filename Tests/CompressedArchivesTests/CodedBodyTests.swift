import CompressedArchives
import Foundation
import HTTPArchive
import Testing

/// Bodies that were recorded with a content coding that only the module `CompressedArchives` can remove.
@Suite(.limited) struct CodedBodyTests {
    private static let text = String(repeating: "<p>Grüße</p>", count: 20) + #"{"password":"correct horse"}"#

    private static let bodies = [
        ("br", "GzMB6K0ObPc4KKKTaovY+YsZ7A0BFc9wipTB1Sdv6fSlz4tcHe3BBhw4BBZkI9I59FB1iOZLq5CDjyNT"),
        ("zstd", "KLUv/WQ0AJUBAKQCPHA+R3LDvMOfZTwvcD57InBhc3N3b3JkIjoiY29ycmVjdCBob3JzZSJ9AQAHoU4l/ZalSg=="),
    ]

    init() { CompressedArchives.enable() }

    private func response(_ coding: String, _ body: String, type: String = "text/html") -> HAR.Response {
        var content = HAR.Content(size: nil, mimeType: type, text: body)
        content.encoding = "base64"
        return HAR.Response(
            status: 200, headers: [HAR.Header(name: "Content-Encoding", value: coding)], content: content)
    }

    @Test(arguments: bodies) func `a body with its content coding is decoded`(coding: String, body: String) {
        #expect(response(coding, body).body == .data(Data(Self.text.utf8)))
        #expect(response(coding, body).bodyText == Self.text)
    }

    @Test(arguments: ["br", "zstd"]) func `a body without its content coding is unchanged`(coding: String) {
        for bytes in [[0x89, 0x50, 0x4E, 0x47, 0xD, 0xA, 0x1A, 0xA], [0xFF, 0xD8, 0xFF], [0, 1, 2, 3]] as [[UInt8]] {
            let body = Data(bytes)
            #expect(response(coding, body.base64EncodedString(), type: "image/png").body == .data(body))
        }
    }

    @Test(arguments: bodies) func `secrets are redacted, and the body is recorded decoded`(
        coding: String, body: String
    ) throws {
        let entry = HAR.Entry(
            startedDateTime: "2026-01-01T00:00:00Z", request: HAR.Request(url: "https://a.test/"),
            response: response(coding, body))
        var configuration = HARRedactor.Configuration()
        configuration.key = HARRedactor.Key(phrase: "a key of the tests")
        let redacted = try HARRedactor(configuration).redacted(entry).response
        let text = try #require(redacted.bodyText)
        #expect(text.hasPrefix("<p>Grüße</p>") && text.contains("REDACTED") && !text.contains("horse"))
    }
}
