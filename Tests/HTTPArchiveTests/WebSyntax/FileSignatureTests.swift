import HTTPArchive
import Testing

@Suite struct FileSignatureTests {
    @Test(arguments: [
        ("\u{89}PNG\r\n", nil), ("GIF89a", "image/gif"), ("RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        ("\0\0\0 ftypavif", "image/avif"), ("wOF2\0", "font/woff2"), ("%PDF-1.7", "application/pdf"),
        ("PK\u{3}\u{4}", "application/zip"), ("\0\0\u{1}\0", "image/x-icon"), ("", nil), ("RIFF", nil), ("text", nil),
    ])
    func `the first bytes of a file determine its format`(start: String, type: String?) {
        #expect(FileSignature.mediaType(of: Array(start.utf8)) == type)
    }

    @Test func `a signature need not be text`() {
        #expect(FileSignature.mediaType(of: [0x89, 0x50, 0x4E, 0x47]) == "image/png")
        #expect(FileSignature.mediaType(of: [0xFF, 0xD8, 0xFF]) == "image/jpeg")
        #expect(FileSignature.mediaType(of: [0x1F, 0x8B, 8]) == "application/gzip")
    }
}
