import Foundation
import HTTPArchive
import Testing

/// Binary data, in which text and the syntax of text also occur by chance.
@Suite(.limited) struct RedactedBinaryTests {
    private static let signature = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])

    private static let form = "application/x-www-form-urlencoded"
    private static let controls = Data(repeating: 1, count: 16)

    /// The beginning of a format whose binary data follows text.
    private static let textStart = """
        ply
        format binary_little_endian 1.0
        comment pin=1234 is the secret of this example
        element vertex 1000

        """

    /// Parts of random data that look like elements and assignments with the name of a secret.
    @Test(arguments: [
        "eyLYmHAXNDxDdnbF8i7zpD3o2ovi0N4TqQ==",
        "0lBXQEBusr32uOKvpFDR/cg9AQIDYWJjmZiXJnGC+vc=",
        "jXplUHe7+STu3HQ0504zOkQdhOQ=", "PDDA5VRmivqoUHe27pnMPk7YRUA=", "zOlZsnBpbtHW/E2oWt03OjoQRZM=",
        "EHhlDJRX9lBXOjBmAyw=", "jqs8UFeQ6w0FPuSxYpQ=", "MDxQd94Nf2/HPqVk90Y=", "PHRQd73T80+IPi2l57U=",
        "tPxQd9txgro5OigZdFs=", "BwMSVTxQV6fdPmB5h6w=", "XG7jDVBXX4eGOlcG4jI=", "PHB36eNY1pQ+C2tgea4=",
        "PFB3L651HMbbE7DlAo43TYweJ2Ql1Vg+DiFO6g==",
        "GyPKSYdXe+6hPHB3NoVq4DnHIDCO+5++CWjAIny+/TAYIMjXVoeLaTC3ddLEZko+GhNQkA==",
    ])
    func `random data is unchanged`(text: String) throws {
        let data = try #require(Data(base64Encoded: text))
        for start in [Self.signature, Data(Self.textStart.utf8) + Self.controls] {
            for type in ["image/png", "application/octet-stream", "font/woff2", Self.form, nil] {
                let redacted = try HARRedactor.test().redacted(body: start + data, mediaType: type)
                #expect(redacted.suffix(data.count) == data)
                #expect(redacted.range(of: Data("pin=1234".utf8)) == nil)
            }
        }
    }

    @Test(arguments: [
        #"{"name":"Größe","password":"hunter2"}"#, "password=hunter2\n", "Authorization: Bearer hunter2hunter2\r\n",
        "<user><password>hunter2</password></user>", "<pin>Größe hunter2</pin>", "<a:pw>hunter2</a:pw>",
        "https://a.test/?token=hunter2&n=1",
        "O:4:\"User\":1:{s:14:\"\0User\0password\";s:7:\"hunter2\";}",
    ])
    func `text in binary data is redacted`(text: String) throws {
        for prefix in [
            Self.signature, Data(Self.textStart.replacing("pin=1234", with: "").utf8) + Self.controls,
            Data([0, 1, 2, 3, 0x7F]),
            Data(repeating: 0xFF, count: 70),
        ] {
            let body = prefix + Data(text.utf8) + Data([0, 1])
            let redacted = try HARRedactor.test().redacted(body: body, mediaType: "application/octet-stream")
            #expect(redacted.starts(with: prefix) && redacted.suffix(2) == Data([0, 1]))
            #expect(redacted.range(of: Data("hunter2".utf8)) == nil)
        }
    }

    @Test(arguments: [
        ("text/plain", "Grüße: pin=12\n"), (Self.form, "name=Größe&pin=12&password=Grüße"),
        ("text/plain", "password=Grüße!\n"),
        ("text/xml", "<a>Grüße<pin>12</pin></a>"),
        ("text/html; charset=iso-8859-1", "<p>Grüße</p><input type=password value=12>"),
    ])
    func `text in ISO 8859-1 is redacted like other text`(type: String, text: String) throws {
        let body = try #require(text.data(using: .isoLatin1))
        let redactor = try HARRedactor.test()
        let redacted = redactor.masked.redacted(body: body, mediaType: type)
        #expect(String(data: redacted, encoding: .isoLatin1) == redactor.masked(text, as: type))
        #expect(redacted != body)
    }
}
